/*
 * Stems of English words that are frequent in texts of all kinds, so that the words of a subject stand out.
 * The lists are by the share of texts with the stem, among 435 texts of the benchmarks' development sets (web pages,
 * news, and pages that Wikipedia cites).
 */

/** Words that occur in at least one of seven texts. */
const IN_MANY = `
  abl access accord across action activ ad add addition advanc allow almost along alreadi alwai
  american announc anyth app appear applic approach area around articl ask associ author avail awai
  back base becom begin benefit best better big book break bring build busi call came case challeng
  chang check choos citi clear close code collect com come commun compani complet complex connect
  consid contain content continu control cost countri cours cover creat current custom dai data date
  day deal deliv depend design detail develop differ direct drive earli easi effect email enabl end
  enough ensur entir especi even event everyon everyth exampl execut exist expect experi explor face
  famili far featur feel field file final first focu follow form found free friend full function futur
  game gener get give go goal good great group grow hand hard head hear help high histori hit hold
  home hour hous http idea impact import improv includ increas industri inform insid interest intern
  issu job join keep key kind know larg last later latest lead learn left less level life like limit
  line link littl live local long look lot love main major make manag market matter media meet member
  meta minut model monei month move multipl name nation natur need never new next note now number
  offer offic offici often old onlin open oper option order organ origin other page part pass past
  peopl perform person place plai plan platform point popular possibl post potenti power practic
  present price problem process produc product profession program project provid public publish put
  qualiti question rang rate reach read real reason receiv recent record refer relat releas remain
  report requir research resourc respons result return review right run sai save say search second
  secur see seem select send serv servic set sever share show side sign similar simpl singl site size
  small someth sourc space speak special specif spend stai stand standard start state step stop stori
  success support sure system take talk team technolog tell term test thank thing think time todai
  togeth tool top track train true try turn type understand unit univers updat user valu version video
  view wai want web websit week wide work world write year
`;
/** Words that occur in at least one of 14 texts. */
const IN_SOME = `
  abil absolut accept account achiev act actual adapt address advantag affect afford age agenc agent
  ago ahead aim air align altern although america amount annual answer appli april archiv arriv art
  artist assist assum attack attempt attend attent august automat averag avoid awar award bad balanc
  bar basic beauti behavior behind believ beyond biggest bill bit black block blue board bodi born box
  brand budget bui buy campaign capabl capit captur car card care career carri catch categori caus
  celebr center central centuri certain chanc charact charg chief child choic claim class clean click
  client cloud club co collabor colleg color combin comfort command comment commit common compar
  competit compon comprehens comput concept concern condition conduct confer confid confirm consist
  construct consult consum contact context contribut conveni convers convert copi core correct count
  coupl creativ critic cross cultur cut daili danger david death decad decid decision dedic deep
  default defin definit demand depart describ desir despit detect determin devic di difficult digit
  directli director discov discuss displai document door download draw dream drop due dynam earlier
  earn easier easili east edg edition educ effici effort either element emerg energi engag engin
  enhanc enjoi enter entri environ equip error essenti establish eventu excel excit exclus expand
  expens experienc expert explain express extend extens extra extrem facebook fact factor fail fall
  fan fast faster favorit fight figur fill film financi find fine finish fire fit fix flexibl focus
  food foot forc forget format former forward foundat frequent friendli front fulli fun fund gain
  global goe googl govern green ground growth guarante guid half handl happen happi health heart
  higher highli hire histor hope host huge human ideal identifi ignor imag imagin immedi implement
  impress independ indic individu influenc infrastructur initi innov inspir instal instanc institut
  integr intellig interact interfac internet interview introduc invest investig involv item januari
  john juli june kill knowledg land languag late launch law leader least leav led leverag librari
  light list listen load locat log longer lose low lower machin maintain man map march mark master
  match materi mayb mean measur memori men mention messag method michael middl mind miss mix mobil
  modern moment monitor multi music near nearli necessari network nice night non none normal north
  noth notic novemb object octob older on opportun optim otherwis outsid overal owner packag pai pair
  parent park parti particular particularli partner path pattern pay perfect period phone photo physic
  pick pictur piec player plu polici polit pop position pre prefer prepar presid press pretti prevent
  previou previous primari print prioriti privat pro probabl profil progress promis properti protect
  prove pull purchas purpos push qualifi quick quickli quit race rais rank rather readi realiti recogn
  recommend red reduc reflect regard region regular relationship reliabl rememb remov replac repres
  request reserv resid respect rest reveal rich rise risk road role room round rule safe safeti sale
  saw scale schedul school scienc score screen season section seek self sell sens separ septemb seri
  server session shape shift shoot shop short shown signific simpli situat skill skip smart social
  softwar solution someon sometim son song soon sort sound south specifi speed sport spot staff stage
  star statement statu stock storag store strategi stream strong structur struggl student studi studio
  style subject submit subscrib suggest suit summer super suppli surpris switch tabl target task tech
  technic text throughout tip titl topic total tour toward town trade tradition transform travel treat
  trend tri trust tuesdai twitter typic ultim uniqu unlik upgrad us usual util valid vari varieti
  variou virtual visit visual voic wait walk wall war warn washington watch water welcom went west
  whatev white whole win window wish woman wonder word worth www york young
`;
/** Words that occur in at least one of 33 texts. */
const IN_FEW = `
  academ academi acceler accommod accomplish accur accuraci acquir actor adam adjust administr admit
  adopt adult adventur advertis advic advis affair affili african afternoon ag agre agreement aid
  album alert alik alon alongsid amaz amazon analysi analyst analyt analyz andrew angel anim anti
  anymor anywher apart appar appeal appl appoint appreci appropri approv approxim architectur argument
  arm armi arrai asia asid aspect assembl assess asset assign assur attach attract attribut audienc
  audio aug australia authent auto autom babi background bag ball band bank bare basi batteri battl
  beach bear beat beginn belong bid bigger billion bind blend blog blow boi boost border bottom brain
  branch bridg brief british broad broadcast brother brown brows browser bug bunch burn button cabinet
  calcul california calm camera camp canada cancel candid capac carefulli cash cast centr certainli
  certif certifi chain chair champion championship channel chart chat cheap chicago china chines chip
  chri church civil classic clearli clock closer cluster coach column commerc commerci commiss
  committe commonli compact compat compel compet compil complianc compos concentr conclud configur
  conflict confus confusion congress conserv consider consol constant contract contrast convent cook
  cool coordin copyright corner corpor correspond council counter counti court coverag craft crawl
  creation creator credit crew crime crimin crowd crucial cup cycl damag dan danc daniel dark databas
  de dead deadlin debut dec decemb declar declin decor deepli defend defens degre delai delet deliveri
  democrat demonstr deni deploi deploy depth descript dev directori disabl discount discoveri diseas
  distanc distinct distribut dive divers division doc doctor documentari dog dollar domain domest
  domin donat doubl doubt dozen dr draft drama dress drink driver drug dry durabl duti earth eas eat
  echo econom economi ed edit editor edward el elect electr electron elev elig elimin embrac emotion
  employe empow empti encount encourag england english enterpris entertain episod equal equival era
  escap estat estim europ european evalu everydai evid evolv exact examin except exchang exercis exit
  expans expertis explan explicitli export expos extern ey eye facil failur fair fals fame familiar
  famou farm fashion fastest father favourit fear februari feder fee feed feedback fellow femal festiv
  fewer filter financ firm fish flag flat flight float floor flow fly fold footbal foreign forev
  formal fort fortun forum foster founder fox frame framework franc french fresh fridai frustrat fuel
  fundament gap gas gather gear georg germani giant gift girl github glass globe god gold gone grab
  grade graduat grand grant graphic greater greatest guardian guess guest gui guidanc guy hair hall
  hardwar headlin healthi heat heavi height hello hide highest highlight hill holidai hollywood honor
  hospit hot hotel household hunt husband icon id ident importantli imposs inc incom increasingli
  incred inde index info injuri inner input insert insight instagram instantli instruct instrument
  insur intend intens intent interior interpret introduct intuit investor invit ireland island isol
  iter jack jackson jame jan japan javascript joe joint journal journei judg jump jun justic kei
  keyword kick kid king kitchen korea lab label labor lack lake landscap larger largest laugh layer
  layout leadership leaf leagu legaci legal length lesson let letter li licens lifestyl lifetim lift
  linux liter lock logic london loop los loss magazin magic mail mainten manual manufactur mar mari
  marri martin mass massiv matur max maxim maximum mechan medic medium menu merg met metal mexico
  microsoft mid mike mile militari million mine minim minimum minist minor mission mistak mode modifi
  modul mondai monthli moon morn mostli mother motiv mount movement movi mr museum narrow nativ navig
  nearbi neg neither net netflix newslett nois nomin northern notabl nov null numer observ obtain
  occasion occur oct offens oh oil ongo onto opinion oppos opposit opt org outcom output overrid
  overview overwhelm own ownership pace pack pain paint panel paper paramet particip partnership
  password paul payment peac peak peer percent perfectli perhap perman perspect phase photograph
  pioneer placement plant plenti podcast polic poor popul port portfolio posit possess precis
  precision predict premier premium presenc preserv pressur primarili prime principl prior priorit
  prison privaci prize professor profit programm promot promotion prompt proof proper properli propos
  prospect protest proud proven pure python quarter queri quiet quot radio ralli ran random rapid
  rapidli rare re reader realiz recal recognit recov recruit refin refresh refus regardless regist
  regul regularli rel relev reli remark remind remot render rent repair repeat repli reput residenti
  resolut resolv respond restor restrict resum retail retir reus revenu reward richard ride ring river
  robert rock roll root rough rout routin row rush russia sampl san sat satisfi saturdai scalabl
  scenario scene scheme scientist scope scott script sea seamless seamlessli seat secret secretari
  sector seed senior sept seriou serious setup sharp ship shock signal significantli simplifi simultan
  sing sister sit sleep slightli slow smaller smith smooth societi solid solo solv somewher southern
  span speaker speech spirit split sponsor spread spring squar st stabil stabl stack stadium startup
  static station statist stick stone storm straight strang strateg streamlin street strength stress
  stretch strike string stronger stuff stun sub subscript subsequ substanti successfulli suffer
  suitabl summari sundai supplement suppos surfac surround survei surviv sustain swift symbol syntax
  tackl tag tailor talent tall tast tax taylor teach teacher tear techniqu teen teenag televis templat
  temporari tend termin terribl theme theori thought thread threat threaten throw thursdai ti ticket
  tier tini tom touch tough traffic transfer translat transpar transport tree trial trigger trip
  troubl truli trump truth tune tutori twice unexpect unfortun unifi union unknown unless unusu upcom
  upload ups usag valuabl van variabl vast vehicl verifi veteran vice victori visibl vision visitor
  vital volum vote vs vulner wast wave weak weapon wear weather wed wednesdai weekend weekli weight
  weird western wife wild will william wind winner winter wire wit won worker workflow worldwid worri
  worst wrap writer wrong yard youtub zone zoom
`;

/** Specificity of words for the subject of a text, from 0 to 1. */
const SPECIFICITY: ReadonlyMap<string, number> = new Map(
  [
    [IN_MANY, 0],
    [IN_SOME, 0.4],
    [IN_FEW, 0.7],
  ].flatMap(([list, value]) =>
    String(list)
      .trim()
      .split(/\s+/)
      .map((stem) => [stem, Number(value)] as const),
  ),
);

/** Returns the specificity of an English word by its stem, from 0 (general) to 1 (special). */
export function specificityOf(stem: string): number {
  return SPECIFICITY.get(stem) ?? 1;
}
