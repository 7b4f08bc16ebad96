import { stemmer } from '@orama/stemmers/portuguese';
import { stopwords } from '@orama/stopwords/portuguese';
import type { DocumentWords, LanguagePack } from './pack.ts';

export const PORTUGUESE: LanguagePack = {
  name: 'portuguese',
  code: 'pt',
  stem: stemmer,
  stopWords: stopwords,
  alphabet: 'ãõáâàéêíóôúç',
  negations: {
    ahead: 'não nunca jamais nem sem nenhum nenhuma nada ninguém tampouco',
    except: 'só somente apenas',
    or: 'ou',
  },
  followUps: {
    continuation:
      /^(?:e|mas|então|que tal|por exemplo|qual del[ae]s|quais del[ae]s)(?= )|^(?:por ?qu[eê]|como|quando|onde|quem|qual|quais|continue|mais)(?: não)?$/iu,
    pointsBack:
      /(?<!\p{L})(?:[dn]?isso|[dn]?isto|aquilo|[dn]el[ae]s?|o mesmo$|ambos$|\p{L}{2,30}-(?:l?[ao]s?|lhes?))(?!\p{L})/iu,
    standsFor: /(?<!\p{L})(?:eles?|elas?)(?!\p{L})/iu,
    item: /(?<!\p{L})(?:[dn]?[ao]|ao|à) (primeir[oa]|segund[oa]|terceir[oa]|quart[oa]|quint[oa]|últim[oa])(?=$|,| (?:ponto|opção|passo|etapa|método|elemento|exemplo|solução|del[ae]s|faz|é|serve)(?!\p{L}))/iu,
    ordinals: 'primeir segund terceir quart quint',
    last: 'últim',
    numbered: 'número|ponto|opção|passo',
    articles: 'os?|as?|um|uma',
  },
  enumerations: {
    leads: 'são|inclu(?:i|em|indo)|oferecem?|suportam?|compreendem?|tais como|como|a saber|entre',
    joins: 'e|ou',
  },
  determiners: 'o a os as um uma do da dos das no na nos nas ao este esta esse essa seu sua cada',
  conjunctions: 'e ou mas se que quando',
  words: {
    questions: 'como quem onde',
    aspects: 'exemplo diferença',
    contrasts: '',
    connectors: '',
    reasons: '',
    additions: '',
    fillers: '',
    numbers: 'um dois três quatro cinco seis sete oito nove dez',
  },
  sections: {
    summaries: 'resumo, introdução',
    overviews: 'conclusão, conclusões',
    keywords: 'palavras chave',
  },
  dates: {
    dayEndings: 'º|ª',
    of: 'de',
    to: 'a e',
    beforeYear: 'em de ano até',
    onlyBeforeYear: 'ano',
    counted: 'metros horas',
  },
  definitions: {
    sentences: [
      '(?:o|a|os|as|uma?) {term} (?:é|são) (?:uma?|o|a) (?:\\p{L}{1,30} ){1,5}(?:que|pelo|pela|para|com|em|cujo|usado)\\b{rest}',
      '(?:o|a|os|as|uma?) {term} (?:define-se como|refere-se|designa|significa) {rest}',
    ],
    references: 'esta?|este|isto|isso|o|autor',
    remarks: 'nota|aviso|exemplo|atenção',
    indefinite: 'um|uma',
    definite: 'o|os',
    distinctions: 'de|do|da|que|para',
    instructions: 'deve',
    headings: 'glossário|definições',
    headingJoins: 'e',
  },
  summaryRequests: {
    leads:
      'pode podes poderia você por favor quero queria preciso me nos dê dá faça faz fazer fazer-me dar escreva mostre um uma o a os as breve curto pequeno quais são',
    requests: [
      /^(?:resum(?:a|e|ir|am)|sintetize)(?<rest>$| .*)/iu,
      /^(?:resumo|síntese|visão geral|(?:pontos|ideias) (?:principais|chave|essenciais|mais importantes))(?<rest>$|,.*| (?:d[aeo]s?|sobre|em|por).*)/iu,
      /^(?:do|de) que (?:se )?(?:tratam?|falam?)(?<rest>.*)$/iu,
    ],
    ofAll:
      'este esta estes estas isto isso o a os as um uma de do da dos das sobre em no na tudo todo todos toda todas documento documentos arquivo arquivos ficheiro ficheiros fonte fontes caderno página páginas ' +
      'texto textos artigo artigos por favor me nos aqui frases frase palavras poucas duas três cinco',
    standsFor: /(?<!\p{L})(?:isso|isto)(?!\p{L})/iu,
  },
  noEvidence: {
    statements: [],
    cells:
      'não está nas fontes; não consta nas fontes; não indicado; não mencionado; não especificado; não consta; sem dados',
  },
  choices: { called: 'resposta', is: 'é' },
  codeWords: 'código|funç(?:ão|ões)|métodos?',
  modelTalk: {
    agrees: 'claro(?: que sim)?[,!.]',
    presents: 'aqui (?:está|estão)|a seguir',
    speaks:
      /^(?:como (?:ia|(?:um )?modelo de linguagem|assistente)|(?:eu )?(?:espero que isto|espero que isso|encontrei|pesquisei))(?!\p{L})/iu,
    agreements: 'claro',
    pointers: 'veja também',
  },
  injections: {
    address:
      /(?<!\p{L})(?:ignore|ignorar?|esqueça|esquece)\s(?:(?:todas?|todos?|as|os|suas|anteriores)\s){1,5}(?:\p{L}{1,20}\s)?(?:instruções|ordens|regras)(?!\p{L})/iu,
    addressed:
      /(?<!\p{L})(?:responde|responda|escreva|escreve|diga)\s(?:(?:apenas|à)\s){0,3}(?:que\s|par|co[mn]|esta|["“«:])/iu,
    plain:
      /(?<=^|[.!?:;"«]\s{0,3}|\n)(?:responde|responda|escreva|escreve)\s(?:apenas\s){0,2}(?:que\s|com esta frase)/iu,
  },
  formats: {
    tables: 'tabelas?',
    lists: 'listas?|list(?:ar|e)|enumer[ae]r?',
    beforeKnownTable: 'das?|nas?|esta|essa',
  },
  yesOrNo: 'sim|não',
  tables: { captions: 'tabela' },
  continuations: 'no entanto|além disso',
  pageNumbers: { names: 'página', of: 'de' },
  pleaseWait: 'aguarde',
};

export const PORTUGUESE_DOCUMENT_WORDS: DocumentWords = {
  abbreviations: {
    always: 'exma, exmo, srs, Cel, Dep, Des, Eng',
    numbered: 'dez, fev',
    tied: ['(?<!\\p{L})[Pp]rezado\\sSr'],
  },
  figures: { names: 'figuras?|figs?', pluralEndings: 's', tables: 'tabelas?', pictures: 'gráfico' },
  beforeLast: 'e',
};
