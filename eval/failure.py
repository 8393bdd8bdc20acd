"""The one error of this package."""


class EvalError(Exception):
    """Something a measurement needs is missing or failed; the message is for the user."""
