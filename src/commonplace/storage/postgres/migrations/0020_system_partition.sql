-- The system's partition is read once it holds something: planning for an empty one costs every search.
CREATE OR REPLACE FUNCTION partitions_of(tenant text) RETURNS TABLE (part integer, parts integer[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT max(coalesce(p.part, 0)) FILTER (WHERE reads.org = tenant),
           array_agg(coalesce(p.part, 0))
               || CASE WHEN bool_or(NOT p.settled) THEN ARRAY[0] ELSE '{}' END
    FROM (VALUES (tenant), ('system')) AS reads (org)
    LEFT JOIN org_partitions p USING (org)
    WHERE reads.org = tenant OR EXISTS (SELECT FROM orgs o WHERE o.org = 'system');
$$;
