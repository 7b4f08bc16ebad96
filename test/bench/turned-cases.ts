// Statements that turn the meaning of a text with its own words, and true ones that say it in other words.

/** Statement with the text that it cites. */
interface TurnedCase {
  readonly language: string;
  readonly text: string;
  readonly statement: string;
  readonly truth: 'contradicted' | 'not-found' | 'supported';
}

interface TurnedText {
  readonly language: string;
  readonly text: string;
  readonly supported: readonly string[];
  /** Part for the whole, swapped subject, changed direction, and the opposite. */
  readonly contradicted: readonly string[];
  /** Invented reasons and additions. */
  readonly notFound: readonly string[];
}

const TEXTS: readonly TurnedText[] = [
  {
    language: 'English',
    text: 'The club has 120 members, 45 of them children. Ms Berger fills in for Mr Kolb until he returns in May. In 2022 its income rose from 8,400 to 9,100 euros. The pool is closed because the roof leaks.',
    supported: [
      'Of the 120 members, 45 are children.',
      'Mr Kolb is back in May.',
      'Its income grew to 9100 euros in 2022.',
      'A leaking roof is why the pool is closed.',
    ],
    contradicted: [
      'The members of the club are children.',
      'The club has 45 members.',
      'Mr Kolb fills in for Ms Berger until he returns in May.',
      'In 2022 its income fell from 8,400 to 9,100 euros.',
      'In 2022 its income rose from 9,100 to 8,400 euros.',
      'The roof leaks because the pool is closed.',
    ],
    notFound: [
      'The pool is closed because the roof leaks and because staff is missing.',
      'Ms Berger fills in for Mr Kolb, who is ill, until he returns in May.',
    ],
  },
  {
    language: 'German',
    text: 'Der Verein hat 120 Mitglieder, davon sind 45 Kinder. Frau Berger vertritt Herrn Kolb, bis er im Mai zurückkommt. Im Jahr 2022 stiegen die Einnahmen von 8.400 auf 9.100 Euro. Das Hallenbad ist geschlossen, weil das Dach undicht ist.',
    supported: [
      '45 der 120 Mitglieder sind Kinder.',
      'Im Mai ist Herr Kolb zurück.',
      'Die Einnahmen nahmen 2022 auf 9100 Euro zu.',
      'Wegen des undichten Dachs ist das Hallenbad zu.',
    ],
    contradicted: [
      'Die Mitglieder des Vereins sind Kinder.',
      'Der Verein hat 45 Mitglieder.',
      'Herr Kolb vertritt Frau Berger, bis er im Mai zurückkommt.',
      'Im Jahr 2022 sanken die Einnahmen von 8.400 auf 9.100 Euro.',
      'Im Jahr 2022 stiegen die Einnahmen von 9.100 auf 8.400 Euro.',
      'Das Dach ist undicht, weil das Hallenbad geschlossen ist.',
    ],
    notFound: [
      'Das Hallenbad ist geschlossen, weil das Dach undicht ist und weil Personal fehlt.',
      'Frau Berger vertritt Herrn Kolb, der krank ist, bis er im Mai zurückkommt.',
    ],
  },
  {
    language: 'French',
    text: 'Le club compte 120 membres, dont 45 enfants. Madame Berger remplace Monsieur Kolb jusqu’à son retour en mai. En 2022, les recettes sont passées de 8 400 à 9 100 euros. La piscine est fermée parce que le toit fuit.',
    supported: [
      'Parmi les 120 membres, 45 sont des enfants.',
      'Monsieur Kolb revient en mai.',
      'Les recettes ont augmenté à 9100 euros en 2022.',
      'Le toit qui fuit explique la fermeture de la piscine.',
    ],
    contradicted: [
      'Les membres du club sont des enfants.',
      'Le club compte 45 membres.',
      'Monsieur Kolb remplace Madame Berger jusqu’à son retour en mai.',
      'En 2022, les recettes ont baissé de 8 400 à 9 100 euros.',
      'En 2022, les recettes sont passées de 9 100 à 8 400 euros.',
      'Le toit fuit parce que la piscine est fermée.',
    ],
    notFound: [
      'La piscine est fermée parce que le toit fuit et parce que le personnel manque.',
      'Madame Berger remplace Monsieur Kolb, qui est malade, jusqu’à son retour en mai.',
    ],
  },
  {
    language: 'Chinese',
    text: '协会有120名会员，其中45名是儿童。王女士在五月之前代替李先生值班。2022年收入从8400元增加到9100元。游泳馆因为屋顶漏水而关闭。',
    supported: [
      '120名会员中有45名儿童。',
      '李先生五月之前不值班。',
      '2022年收入增长到了9100元。',
      '屋顶漏水，所以游泳馆关闭了。',
    ],
    contradicted: [
      '协会的会员是儿童。',
      '协会有45名会员。',
      '李先生在五月之前代替王女士值班。',
      '2022年收入从8400元减少到9100元。',
      '2022年收入从9100元增加到8400元。',
      '屋顶因为游泳馆关闭而漏水。',
    ],
    notFound: ['游泳馆因为屋顶漏水和人手不足而关闭。', '王女士在五月之前代替生病的李先生值班。'],
  },
];

/** Returns the statements with their texts. */
export function turnedCases(): readonly TurnedCase[] {
  return TEXTS.flatMap(({ language, text, supported, contradicted, notFound }) => {
    const make = (statement: string, truth: TurnedCase['truth']): TurnedCase => ({
      ...{ language, text, statement, truth },
    });
    return [
      ...supported.map((statement) => make(statement, 'supported')),
      ...contradicted.map((statement) => make(statement, 'contradicted')),
      ...notFound.map((statement) => make(statement, 'not-found')),
    ];
  });
}
