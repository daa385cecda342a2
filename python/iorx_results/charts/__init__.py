"""The charts: each module draws one kind, from the model onto a sheet."""
