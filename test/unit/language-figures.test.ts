import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinear } from '../support/growth.ts';
import {
  asksForFigure,
  figureNumbersIn,
  figuresIn,
  mayShowFigure,
  sentencesNaming,
} from '../../src/core/language/figures.ts';

/** Returns each caption with the sentences that refer to its figure. */
function describeFigures(
  text: string,
  format: 'markdown' | 'prose' = 'prose',
): readonly (readonly [string, ...string[]])[] {
  const textFigures = figuresIn(text, format);
  return textFigures.figures.map(({ caption }, index) => [
    text.slice(caption.start, caption.end),
    ...sentencesNaming(text, textFigures, index).map(({ start, end }) => text.slice(start, end)),
  ]);
}

describe('figures of a text', () => {
  it('are captions at the start of a block, with the sentences that refer to them', () => {
    const text = [
      'Losses rise. As Figure 3 shows, they rise in winter. Nobody knows why.',
      'Figure 3: Losses by month,\nin litres.',
      'More on this is in Fig. 3 and elsewhere.',
    ].join('\n\n');
    assert.deepEqual(describeFigures(text), [
      [
        'Figure 3: Losses by month,\nin litres.',
        'As Figure 3 shows, they rise in winter.',
        'More on this is in Fig. 3 and elsewhere.',
      ],
    ]);
  });

  for (const [caption, naming] of [
    ['Figure 1-2 Existing row and column controls', 'It is shown in Figure 1-2.'],
    ['Fig. 4 Overview of the system', 'See Fig. 4b for the details.'],
    ['Figure S1. Supplementary data', 'The data are in Figure S1.'],
    ['Abbildung 3: Aufbau der Anlage', 'Wie Abb. 3 zeigt, fließt das Wasser nach Süden.'],
    ['Рис. 3. Схема установки', 'Схема показана на рисунке 3.'],
    ['图 3 系统结构', '如图3所示，系统分为两层。'],
    ['図3：システムの構成', 'その構成を図3に示す。'],
    ['그림 2. 시스템 구조', '구조는 그림 2 에 있다.'],
    ['3. ábra: A rendszer felépítése', 'A rendszert a 3. ábra mutatja.'],
    ['Figura 5 — Esquema del riego', 'Como muestra la figura 5, el agua baja.'],
    ['Kuva 2. Mittaustulokset', 'Tulokset ovat kuvassa 2.'],
    ['शكل', ''],
    ['شكل 3: نتائج القياس', 'كما يظهر في الشكل 3 ترتفع القيم.'],
  ] as const)
    if (naming !== '')
      it(`are found in many languages: ${caption}`, () => {
        assert.deepEqual(describeFigures(`${naming}\n\n${caption}\n\nMore.`), [[caption, naming]]);
      });

  it('exclude sentences that begin like a caption, list entries, and code', () => {
    for (const text of [
      'Figure 3 shows that losses rise.',
      'Losses rise, as is seen in\nFigure 3. They fall in summer.',
      'Figure 3: Losses by month ........ 12',
      '图3显示损失上升。',
    ])
      assert.deepEqual(describeFigures(text), [], text);
    assert.deepEqual(describeFigures('```\nFigure 3: in code\n```\n', 'markdown'), []);
    assert.deepEqual(figuresIn('Figure 3: a comment', 'code').figures, []);
  });

  it('are found by ranges and lists', () => {
    assert.deepEqual(figureNumbersIn('Figures 2, 4 and 6–8; Abb. 1; Fig. 3a'), [
      '2',
      '4',
      '6',
      '7',
      '8',
      '1',
      '3',
    ]);
    assert.deepEqual(figureNumbersIn('what does figure 1-2 show'), ['1-2']);
    assert.deepEqual(figureNumbersIn('in 2020 a config 3 was fixed'), []);
  });

  it('are the nearest ones if their numbers restart in each chapter', () => {
    const chapter = (about: string): string =>
      `Figure 1 tells of the ${about}.\n\n${'Words. '.repeat(300)}\n\nFigure 1: The ${about}`;
    assert.deepEqual(
      describeFigures(`${chapter('pump')}\n\n${'Words. '.repeat(600)}\n\n${chapter('gate')}`),
      [
        ['Figure 1: The pump', 'Figure 1 tells of the pump.'],
        ['Figure 1: The gate', 'Figure 1 tells of the gate.'],
      ],
    );
  });

  it('include Markdown images, with an adjacent caption or their description', () => {
    const text = [
      'See Figure 2.',
      '![A drawing](pump.png)\n*Figure 2: The pump*',
      '<figure><img src="gate.svg" alt="The gate"><figcaption>Figure 3: The gate</figcaption></figure>',
      '![Figure 4: The sluice](data:image/png;base64,AAAA)',
      '```\n![no](image.png)\n```',
    ].join('\n\n');
    const { figures } = figuresIn(text, 'markdown');
    assert.deepEqual(
      figures.map(({ name, image }) => [name, image?.source]),
      [
        ['Figure 2', 'pump.png'],
        ['Figure 3', 'gate.svg'],
        ['Figure 4', 'data:image/png;base64,AAAA'],
      ],
    );
    assert.deepEqual(describeFigures(text, 'markdown')[0], ['Figure 2: The pump', 'See Figure 2.']);
  });

  it('end with their HTML element', () => {
    const html = '<p align="center">Figure 3: The gate</p> The gate was built in 1998.';
    assert.deepEqual(describeFigures(html, 'markdown'), [['Figure 3: The gate']]);
  });

  it('are recognized in a question by number or by a word for an image', () => {
    for (const question of [
      'What does Figure 3 show?',
      'what is in the diagram of the pump',
      '图3说明什么？',
      'was zeigt das Bild',
      '这张图说明什么？',
    ])
      assert.ok(asksForFigure(question), question);
    for (const question of ['how do I configure it', '图书馆在哪里？', 'when is the pump oiled?'])
      assert.ok(!asksForFigure(question), question);
  });

  it('are found in linear time, up to the maximum per document', () => {
    const captions = (count: number): string =>
      Array.from(
        { length: count },
        (_, i) => `Figure ${String(i % 999)}: A caption\n\nAs Figure ${String(i % 999)} shows it is.`,
      ).join('\n\n');
    assert.equal(figuresIn(captions(10_000), 'prose').figures.length, 2_000);
    for (const make of [
      captions,
      (count: number) => 'Figure 1 '.repeat(count),
      (count: number) => '![](x'.repeat(count),
      (count: number) => `![](data:image/png;base64,${'A'.repeat(count)}`.repeat(3),
      (count: number) => `Figures 1${', 2'.repeat(count)}`,
      (count: number) => '<img '.repeat(count),
    ])
      assertLinear((size) => {
        const text = make(size);
        const textFigures = figuresIn(text, 'markdown');
        for (const index of textFigures.figures.keys()) sentencesNaming(text, textFigures, index);
      }, 500);
  });
});

describe('a part that may show a figure', () => {
  it('has an image, or a name at the start of a line', () => {
    for (const name of ['Figure 3', 'Abb.\n1.2', 'illustrations. A-1', '图3', '3. ábra', '2 pav'])
      for (const prefix of ['', 'As before.\n', '\n\n> **', '<p class="a"><b>', '![']) {
        assert.ok(mayShowFigure(`${prefix}${name}: Yield`), prefix + name);
        assert.ok(!mayShowFigure(`It is in ${name}.`), name);
      }
    assert.ok(mayShowFigure('It is in ![a pump](pump.png).'));
    for (const other of ['figured 3', 'template 3', 'figure three', 'figure 1234', '12 34 5.6', '3 apples'])
      assert.ok(!mayShowFigure(other), other);
  });

  it('is found for each caption', () => {
    const text = '# Report\n\n**Figure 1.** Yield\n\nFig. 2: Losses\n\nAs Figure 2 shows, they rise.\n';
    const { figures } = figuresIn(text, 'markdown');
    assert.equal(figures.length, 2);
    for (const { caption } of figures) assert.ok(mayShowFigure(text.slice(caption.start, caption.end)));
  });
});
