/** Returns a realistic .bib file with entries of all kinds, each in one of the styles of real files. */
export function generateLibrary(count: number): string {
  const head = [
    '\uFEFF% Encoding: UTF-8',
    '@comment{jabref-meta: databaseType:biblatex;}',
    '@preamble{"\\providecommand{\\noopsort}[1]{}"}',
    '@string{jcs = "Journal of Computer Science"}',
    '@string(acm = {ACM Press})',
    '',
  ];
  const entries = Array.from({ length: count }, (_, n) => (kinds[n % kinds.length] ?? article)(n));
  return [...head, ...entries, '@comment{x}', 'Words between entries are none of them.', ''].join('\r\n');
}

const year = (n: number): string => String(1950 + (n % 75));

function article(n: number): string {
  return `@article{key${String(n)},
  author = {M{\\"u}ller, J{\\'e}r{\\^o}me and van der Berg, Anna and {World Health Organization}},
  title = {The {DNA} of things, part ${String(n)}: $x_1$ \\& more},
  journal = jcs, volume = ${String(n)}, number = {3}, pages = {${String(n)}--${String(n + 9)}}, month = mar, year = ${year(n)},
  doi = {10.1000/xyz.${String(n)}}, keywords={a, b}, file={Full Text:/home/me/Zotero/paper ${String(n)}.pdf:application/pdf}
}`;
}

const kinds: readonly ((n: number) => string)[] = [
  article,
  (n) => `@book{Knuth:${String(n)},
  author    = "Donald E. Knuth",
  title     = "The " # "{TeX}book, volume ${String(n)}",
  publisher = acm # { and others},
  address   = {Reading, Massachusetts},
  edition   = {2nd},
  isbn      = {0-201-13448-9},
  year      = "${year(n)}"
}`,
  (n) => `@inproceedings{conf-${String(n)},
  author = {Doe, Jr., John and {de la} Cruz, María and others},
  title = {Nested {{Braces {Deep}}} and \`\`quotes''},
  crossref = {proc-${String(n)}},
  pages = {1, 3, 5--7}
}
@proceedings{proc-${String(n)}, title = {Proceedings of the ${String(n)}th Meeting}, editor = {Smith, A. and Jones, B.}, year = ${year(n)}}`,
  (n) => `@online{web_${String(n)},
  author = {{Mozilla Contributors}},
  title = {100\\% of the web},
  url = {https://example.org/a_b/c%20d?x=1&y=${String(n)}#part},
  urldate = {2020-01-${String(10 + (n % 18))}},
  date = {2019-05-04/2019-06}
}`,
  (n) => `@phdthesis(thesis/${String(n)},
  author = {Ångström, Anders Jonas},
  title = {\\"Uber die W\\"{a}rme {\\o}re \\ss{} \\~n \\c{c}},
  school = {Universit{\\"a}t Z{\\"u}rich},
  year = {${year(n)}},
  note = {in press}
)`,
  (n) => `@misc{müller.${String(n)},
  title={An untitled thing without a comma at the end ${String(n)}},
  eprint={2305.${String(10000 + n)}},
  archivePrefix={arXiv},
  primaryClass={cs.AI},
  year={2023}
}`,
  (n) =>
    `@incollection{chap${String(n)}, author={Curie, Marie}, title={Chapter ${String(n)}}, booktitle={A Collection}, editor={Perrin, Jean}, publisher={Gauthier-Villars}, year=${year(n)}, pages={10-20}}`,
  (n) =>
    `@techreport{rep${String(n)}, author={Lee, Min-Ho}, title={Report ${String(n)}}, institution={NASA}, number={TR-${String(n)}}, year=${year(n)}, month={Dec}}`,
  (n) =>
    `@dataset{data${String(n)}, author={Open Data Group}, title={Data ${String(n)}}, publisher={Zenodo}, date={${year(n)}-02-30}, version={1.${String(n)}}}`,
  (n) => `@unknownkind{odd${String(n)}, title={Of no known kind ${String(n)}}, howpublished={A letter}}`,
];
