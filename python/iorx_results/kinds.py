"""The kinds of value that a document may hold, by the words that an error says."""

from dataclasses import dataclass

NUMBER, SIGNED, WHOLE = "a number", "a number, maybe below 0", "a whole number"
TEXT, TRUTH, VALUE = "a text", "true or false", "a text, a number, true or false"
OPTION = "a text, a number, true or false, or an object"

KINDS = {
    TEXT: (str,),
    NUMBER: (int, float),
    SIGNED: (int, float),
    WHOLE: (int,),
    TRUTH: (bool,),
    VALUE: (str, int, float, bool),
    OPTION: (str, int, float, bool, dict),
    "an object": (dict,),
    "an array": (list,),
}


@dataclass
class Each:
    """An object with any names, whose values have one shape."""
    shape: object


@dataclass
class Needed:
    """A shape of what must be there."""
    shape: object
