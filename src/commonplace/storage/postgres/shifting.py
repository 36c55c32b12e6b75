"""Shifts keys for another database: which columns contain keys, each increased by the same
number."""

from __future__ import annotations

from psycopg import sql

# A symbol's key is its file's key and a 20-bit slot.
_OF_SYMBOLS = frozenset({("symbols", "key"), ("edges", "source_key"), ("edges", "target_key")})
_SYMBOL_BITS = 20
_SPECIAL = {
    ("changes", "sequence"): "{0}.sequence + {1}",
    ("code_files", "reads"): "ARRAY(SELECT one + {1} FROM unnest({0}.reads) AS one)",
    ("targets", "subject"): """CASE WHEN {0}.subject -> 'keys' IS NULL THEN {0}.subject ELSE
        json_build_object('keys', (
            SELECT json_agg(one::bigint + {1})
            FROM json_array_elements_text({0}.subject -> 'keys') AS one)) END""",
    ("changes", "before"): """CASE json_typeof({0}.before -> 'resource') WHEN 'number' THEN
        ({0}.before::jsonb
         || jsonb_build_object('resource', ({0}.before ->> 'resource')::bigint + {1}))::json
        ELSE {0}.before END""",
    # The text index has a chunk's resource as a token that contains its key.
    ("passages", "search"): """(SELECT CASE WHEN c.resource_key IS NULL THEN {0}.search ELSE
        ts_delete({0}.search, '@rx' || encode(convert_to(c.resource_key::text, 'UTF8'), 'hex'))
        || array_to_tsvector(ARRAY['@rx' || encode(
               convert_to((c.resource_key + {1})::text, 'UTF8'), 'hex')]) END
        FROM chunks c WHERE c.part = {0}.part AND c.key = {0}.chunk_key)""",
}


def shifted(table: str, column: str, number: int, part: int) -> sql.Composable:
    """The value that a column of the source has at the target."""
    whole, name = sql.Identifier(table), sql.Identifier(column)
    if column == "part":
        return sql.SQL("{}::integer").format(sql.Literal(part))
    if special := _SPECIAL.get((table, column)):
        return sql.SQL(special).format(whole, _plain(number))
    if (table, column) in _OF_SYMBOLS:
        return sql.SQL("{}.{} + {}").format(whole, name, _plain(number << _SYMBOL_BITS))
    if column == "key" or column.endswith("_key"):
        return sql.SQL("{}.{} + {}").format(whole, name, _plain(number))
    return sql.SQL("{}.{}").format(whole, name)


def _plain(number: int) -> sql.Composable:
    return sql.SQL("{}::bigint").format(sql.Literal(number))
