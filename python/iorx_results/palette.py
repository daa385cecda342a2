"""The colours, by what they stand for, in both themes; chosen after Okabe and Ito's palette.

Charts are drawn in the light colours. In a page each of these is replaced by var(--NAME), so every
light colour stands for one name only.
"""

LIGHT = {
    "ink": "#1b1f24",
    "muted": "#57606a",
    "grid": "#d8dee4",
    "surface": "#fefefe",
    "write": "#0072b2",
    "read": "#c04a00",
    "verify": "#007a5a",
    "other": "#8a4b87",
    "wait": "#8c959f",
    "accent": "#b08800",
}

DARK = {
    "ink": "#e6e9ec",
    "muted": "#9aa4af",
    "grid": "#343b44",
    "surface": "#16191d",
    "write": "#56b4e9",
    "read": "#f08a4b",
    "verify": "#3cc8a0",
    "other": "#d08fcc",
    "wait": "#6b7580",
    "accent": "#e0b63a",
}

# Of cells whose strength is their opacity: to be seen on both surfaces.
HEAT = {"write": (0, 128, 200), "read": (213, 94, 0), "verify": (0, 158, 115),
        "other": (170, 90, 165), "wait": (128, 128, 128)}

THEMES = {"light": LIGHT, "dark": DARK}


def of_phase(name):
    """The name of the colour of a kind of phase."""
    last = name.split(":")[-1]  # of a part: load:read
    return last if last in ("write", "read", "verify") else "other"
