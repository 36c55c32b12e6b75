"""Arguments as every dialect takes them: nothing is converted silently, nothing unknown passes."""

from __future__ import annotations

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Given(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


def _whole(number: object) -> object:
    """JSON has one kind of number: 10.0 is as whole as 10."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


# Stands last: bounds in front of it appear in the schema, bounds behind it do not.
WHOLE = BeforeValidator(_whole)
