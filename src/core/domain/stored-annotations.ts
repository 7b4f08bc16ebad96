import * as v from 'valibot';

const number = v.number();

const annotation = v.object({
  kind: v.picklist(['highlight', 'underline', 'strikeout', 'squiggly', 'box', 'note']),
  page: v.pipe(number, v.integer(), v.minValue(1)),
  quads: v.pipe(
    v.array(v.tuple([number, number, number, number, number, number, number, number])),
    v.minLength(1),
  ),
  colour: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/)),
  words: v.string(),
  remark: v.string(),
});

/** JSON schema of stored annotations by key. */
export const annotationsByKey = v.array(v.tuple([v.string(), v.nullable(annotation)]));
