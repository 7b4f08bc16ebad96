/**
 * Returns statements that replace parts of a function of the team's schema.
 * @param parts each part that the function must contain, and its replacement
 */
export function changeFunction(name: string, parts: readonly (readonly [string, string])[]): string[] {
  return parts.map(
    ([before, after]) => `
  DO $do$
  DECLARE definition text := pg_catalog.pg_get_functiondef('open_notebook.${name}'::regproc);
  BEGIN
    IF pg_catalog.strpos(definition, $part$${before}$part$) = 0 THEN
      RAISE EXCEPTION 'The function ${name} is not what it was before';
    END IF;
    EXECUTE pg_catalog.replace(definition, $part$${before}$part$, $part$${after}$part$);
  END $do$;`,
  );
}
