import { stemmer } from '@orama/stemmers/french';
import { stopwords } from '@orama/stopwords/french';
import type { LanguagePack } from './pack.ts';

export const french: LanguagePack = {
  name: 'french',
  code: 'fr',
  stem: stemmer,
  stopWords: stopwords,
  hasCompounds: false,
  hasCapitalNouns: false,
  alphabet: 'éèêëàâîïôûùçœæ',
  negations: {
    ahead: 'pas jamais aucun aucune sans ni rien non',
    behindVerb: 'pas jamais',
    except: 'seulement doute',
    or: 'ou',
  },
  followUps: {
    continuation:
      /^(?:et|mais|donc|alors|qu['’]en est-il|encore|plus de|par exemple)(?= )|^(?:pourquoi|comment|quand|où|qui|combien|continue|encore)(?: pas)?$|^(?:lequel|laquelle|lesquels|lesquelles)(?!\p{L})/iu,
    pointsBack:
      /(?<!\p{L})(?:cela|ça|ce(?:lui|lle|ux|lles)-(?:ci|là)|ce dernier|cette dernière|d['’]entre (?:eux|elles)|les deux$|(?:comment|peut-on|puis-je|faut-il|dois-je|pour) (?:le |la |les |l['’])\p{L}{2,30}[ei]r)(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:ils?|elles?|eux|lui|leur)(?!\p{L})/iu,
    expletive:
      /(?<!\p{L})(?:est-il (?=possible|nécessaire|obligatoire|interdit|permis|utile|conseillé|vrai)|faut-il|y a-t-il|se passe-t-il|s['’]agit-il|fait-il|il y a|il faut|il pleut|il neige)/giu,
    item: /(?<!\p{L})(?:les?|la|du|de la|au|à la) (premi(?:er|ère)|deuxième|seconde?|troisième|quatrième|cinquième|derni(?:er|ère))(?=$|,| (?:point|option|étape|méthode|élément|exemple|solution|possibilité|d['’]entre|fait|est|fonctionne|sert|a)(?!\p{L}))/iu,
  },
  enumerations: {
    leads:
      'sont|compren(?:d|nent|ant)|inclu(?:t|ent|ant)|offr(?:e|ent)|prend en charge|tel(?:le)?s que|comme|à savoir|entre',
    joins: 'et|ou',
  },
  determiners: 'le la les l un une des du au aux d ce cet cette ces son sa ses leur leurs chaque',
  conjunctions: 'et ou mais si que quand',
  backReferences: 'il elle ils elles cela ceci ce cet cette ces son sa ses leur leurs celui celle',
  words: {
    questions: 'que quoi qui quand comment combien pourquoi où',
    aspects: 'exemple différence raison',
    contrasts: 'mais cependant toutefois tandis',
    connectors: 'et mais cependant toutefois',
    reasons: 'parce',
    additions: 'et',
    fillers: 'le la les un une des du de en dans au aux est sont était étaient avait avaient il y',
    numbers: 'un deux trois quatre cinq six sept huit neuf dix',
  },
  sections: {
    summaries: 'résumé, introduction',
    overviews: 'conclusion, conclusions, synthèse, aperçu',
    keywords: 'mots clés',
  },
};
