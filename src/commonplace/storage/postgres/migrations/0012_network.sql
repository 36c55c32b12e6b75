-- Whether orgs are a network is said when a transaction opens; until then none of them is.

-- Whether orgs are a network: what is shared with it is then read across them. Nothing said is no.
CREATE FUNCTION network_open() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(current_setting('commonplace.network', true), '') = 'on';
$$;

ALTER POLICY shared ON entries USING ((visibility = 'network' AND (SELECT network_open())) OR org = 'system');
ALTER POLICY shared ON chunks USING ((visibility = 'network' AND (SELECT network_open())) OR org = 'system');
ALTER POLICY shared ON passages USING (shared AND ((SELECT network_open()) OR org = 'system'));
ALTER POLICY shared ON vectors USING (shared AND ((SELECT network_open()) OR org = 'system'));
ALTER POLICY shared ON contributions USING (EXISTS (
    SELECT 1 FROM entries e
    WHERE e.key = entry_key AND e.visibility = 'network' AND (SELECT network_open())));
ALTER POLICY shared ON verdicts USING (shared AND (SELECT network_open()));

CREATE OR REPLACE FUNCTION matching_passages(matches text[], scope text, reach bigint, among bigint[])
RETURNS TABLE (chunk_key bigint, rank double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    WITH found AS MATERIALIZED (
        SELECT asked.match, passage.chunk_key
        FROM unnest(matches) AS asked (match)
        CROSS JOIN LATERAL (
            SELECT p.chunk_key
            FROM passages p
            WHERE p.search @@ (asked.match::tsquery && scope::tsquery)
              AND (p.org = current_org() OR (p.shared AND (network_open() OR p.org = 'system')))
              AND (among IS NULL OR p.chunk_key = ANY (among))) AS passage
    ), weighed AS MATERIALIZED (
        SELECT f.match, ln(1 + greatest(
                   (SELECT s.chunks FROM statistics s WHERE s.org = current_org()),
                   (SELECT count(*) FROM found)) / count(*)::float8) AS weight
        FROM found f
        GROUP BY f.match
    ), rarest AS MATERIALIZED (
        SELECT f.chunk_key
        FROM found f JOIN weighed w USING (match)
        GROUP BY f.chunk_key
        ORDER BY sum(w.weight) DESC, f.chunk_key DESC
        LIMIT greatest(reach, 3000 / cardinality(matches))
    ), tokens AS MATERIALIZED (
        -- The empty concatenation unpacks the tokens once for all matches.
        SELECT p.chunk_key, p.search || ''::tsvector AS search
        FROM rarest r JOIN passages p USING (chunk_key)
    )
    SELECT t.chunk_key,
           sum(w.weight * ts_rank('{0.5, 0.5, 0.5, 1.0}', t.search, w.match::tsquery, 1)) AS rank
    FROM tokens t CROSS JOIN weighed w
    GROUP BY t.chunk_key
    ORDER BY rank DESC, t.chunk_key
    LIMIT reach;
$$;

CREATE OR REPLACE FUNCTION tagged_entries(wanted text[]) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT e.key
    FROM entries e
    WHERE e.tags @> wanted
      AND (e.org = current_org() OR (e.visibility = 'network' AND network_open()) OR e.org = 'system');
$$;

CREATE OR REPLACE FUNCTION tagged_chunks(wanted text[]) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT c.key
    FROM chunks c
    WHERE c.tags @> wanted
      AND (c.org = current_org() OR (c.visibility = 'network' AND network_open()) OR c.org = 'system');
$$;

CREATE OR REPLACE FUNCTION entries_tagged_any(wanted text[]) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT e.key
    FROM entries e
    WHERE e.tags && wanted
      AND (e.org = current_org() OR (e.visibility = 'network' AND network_open()) OR e.org = 'system');
$$;

CREATE OR REPLACE FUNCTION chunks_tagged_any(wanted text[]) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT c.key
    FROM chunks c
    WHERE c.tags && wanted
      AND (c.org = current_org() OR (c.visibility = 'network' AND network_open()) OR c.org = 'system');
$$;

CREATE OR REPLACE FUNCTION readable_vectors(wanted text, most bigint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT count(*) FROM (
        SELECT FROM vectors v WHERE v.model = wanted AND v.org = current_org()
        UNION ALL
        SELECT FROM vectors v WHERE v.model = wanted AND v.shared AND v.org <> current_org()
            AND (network_open() OR v.org = 'system')
        LIMIT most) AS readable;
$$;

REVOKE EXECUTE ON FUNCTION network_open FROM PUBLIC;
GRANT EXECUTE ON FUNCTION network_open TO commonplace_app;
