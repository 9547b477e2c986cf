import type { ImportKind } from "../contract.ts";
import type { ImportField } from "../words.ts";

/** A header as it is compared: lower case, without accents, letters and digits alone. */
export const normaliseHeader = (header: string): string =>
  header
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .replaceAll(/[^a-z0-9]/g, "");

/** The headers that other tools give a field, normalised, the better one first. */
type Aliases = Partial<Record<ImportField, readonly string[]>>;

/** One a word, in English, German, French, Spanish, Portuguese, Italian, Dutch and Polish. */
const words = (text: string): string[] => text.trim().split(/\s+/);

const person: Aliases = {
  email: words(`
    email emailaddress emailaddresses workemail primaryemail businessemail personemail emailsprimaryemail contactemail mail
    emailwork emailvalue mailaddress emailaddr professionalemail companyemail corporateemail
    emailadresse mailadresse geschaftlicheemail emailgeschaftlich firmenemail
    adresseemail adressemail courriel adressecourriel emailprofessionnel emailpro mailprofessionnel
    correo correoelectronico direcciondecorreo direcciondecorreoelectronico emailcorporativo correocorporativo
    enderecodeemail correioeletronico emailprofissional emailcomercial
    indirizzoemail postaelettronica indirizzodipostaelettronica emailaziendale
    emailadres mailadres zakelijkeemail
    adresemail emailsluzbowy pocztaelektroniczna adrespocztyelektronicznej
    emailhome personalemail privateemail secondaryemail tertiaryemail email2address email3address otheremail emailother
    email2 email3 alternateemail additionalemail additionalemailaddresses`),
  first_name: words(`
    firstname givenname fname namefirstname personfirstname contactfirstname forename
    vorname rufname prenom nombre nombredepila primeronombre primeironome nome nomeproprio voornaam imie`),
  last_name: words(`
    lastname surname familyname lname namelastname personlastname contactlastname
    nachname familienname nomdefamille apellido apellidos sobrenome apelido cognome achternaam nazwisko`),
  name: words(`
    fullname name contactname personname leadname displayname contact
    vollstandigername ansprechpartner kontakt kontaktname nomcomplet nometprenom prenometnom contactprincipal
    nombrecompleto nombreyapellidos contacto nomecompleto contato nomecognome nomeecognome nominativo
    volledigenaam naam contactpersoon imieinazwisko pelnaimieinazwisko osobakontaktowa`),
  linkedin_url: words(`
    personlinkedinurl linkedinurl linkedinurlpublic linkedinprofile linkedinprofileurl linkedin linkedinbio profileurl
    defaultprofileurl personlinkedin linkedinlink linkedinpersonal contactlinkedin profillinkedin perfillinkedin
    perfildelinkedin profilolinkedin linkedinprofil linkedinprofiel linkedincontacturl lilink url`),
};

const company: Aliases = {
  company: words(`
    company companyname companyaccount organization organizationname organisation organisationname account accountname employer
    associatedcompany primaryassociatedcompany currentcompany currentcompanyname business businessname
    unternehmen firma firmenname unternehmensname organisationsname arbeitgeber kunde
    entreprise societe nomdelentreprise nomdelasociete nomentreprise raisonsociale organisme employeur
    empresa nombredelaempresa nombreempresa compania organizacion razonsocial
    nomedaempresa nomeempresa organizacao companhia razaosocial
    azienda societa nomeazienda ragionesociale impresa organizzazione
    bedrijf bedrijfsnaam organisatie organisatienaam werkgever
    nazwafirmy przedsiebiorstwo organizacja pracodawca companynameforemails`),
  company_domain: words(`
    companydomain domain domains companydomainname website companywebsite companywebsiteurl websiteurl web webseite
    webpage homepage websites websitevalue organizationwebsite accountwebsite companyurl url2 firmenwebsite internetseite
    internetadresse siteweb siteinternet domaine sitioweb paginaweb dominio site sitedaempresa sitoweb sitointernet
    strona stronawww stronainternetowa domena internetpagina domein webadresse webadres primarydomain`),
  company_linkedin_url: words(`
    companylinkedinurl companylinkedin regularcompanyurl companylinkedinprofile linkedincompanypage accountlinkedin
    organizationlinkedinurl linkedincompanyurl companyurl`),
  industry: words(`
    industry companyindustry sector primaryindustry accountindustry organizationindustry
    branche industrie secteur secteurdactivite industria setor segmento ramodeatividade settore bedrijfstak branza`),
  employees: words(`
    employees numberofemployees companyemployeeexactcount companysize headcount employeecount noofemployees
    companyheadcount companyemployeerange employeerange employeesize size organizationnumberofemployees
    mitarbeiter mitarbeiterzahl anzahlmitarbeiter anzahldermitarbeiter unternehmensgrosse firmengrosse beschaftigte
    effectif effectifs nombredesalaries nombredemployes tailledelentreprise taille
    empleados numerodeempleados tamanodelaempresa tamano funcionarios numerodefuncionarios colaboradores
    dipendenti numerodidipendenti numerodipendenti medewerkers aantalmedewerkers aantalwerknemers
    liczbapracownikow pracownicy`),
};

const country = words(`
  country countryregion personcountry countryname countrycode mailingcountry businesscountryregion addresscountry
  billingcountry locationcountry contactcountry homecountryregion
  land pays pais paese kraj landregion nation staat nazione`);

const companyCountry = words("companycountry accountcountry organizationcountry hqcountry companyhqcountry");

const phone = words(`
  phone phonenumber workdirectphone mobilephone mobilephonenumber phonenumbers personphone businessphone phonevalue
  mobile directphone directdial workphone telephone tel cell cellphone phonework phonemobile primaryphone
  contactphone homephone otherphone phonehome phoneother businessphone2 homephone2
  telefon telefonnummer handy handynummer mobiltelefon mobilnummer rufnummer festnetz telefongeschaftlich durchwahl mobil
  numerodetelephone mobileprofessionnel telmobile portable
  telefono numerodetelefono movil telefonomovil celular telefone numerodetelefone telemovel
  numeroditelefono cellulare telefonocellulare telefoonnummer telefoon mobielnummer mobiel
  numertelefonu telefonkomorkowy komorka nrtelefonu`);

const owner = words("owner contactowner leadowner recordowner personowner ownername owneremail contactowneremail");

const jobTitle = words(`
  jobtitle position currentjob currenttitle role jobposition jobrole contacttitle persontitle organizationtitle
  function designation occupation
  jobtitel positionsbezeichnung berufsbezeichnung stellenbezeichnung funktion rolle beruf
  poste fonction intituleduposte intitulededeposte titreduposte
  cargo puesto puestodetrabajo funcao cargoatual ruolo posizione mansione qualifica titoloprofessionale
  functie functietitel stanowisko title titel headline`);

/** What headers mean, by what the rows of the file are about. */
const aliasesOf: Readonly<Record<ImportKind, Aliases>> = {
  people: {
    ...person,
    job_title: jobTitle,
    ...company,
    company_country: companyCountry,
    country,
    phone,
    stage: words("pipelinestage stage lifecyclestage leadstatus contactstage status"),
    owner,
  },
  companies: {
    ...company,
    company: [...(company.company ?? []), ...words("name nom nome nombre naam nazwa")],
    company_linkedin_url: [
      ...(company.company_linkedin_url ?? []),
      ...words("linkedinurl linkedin linkedinprofile url"),
    ],
    country: [...country, ...companyCountry],
    owner: words("owner companyowner accountowner recordowner organizationowner ownername owneremail"),
  },
  notes: {
    email: person.email ?? [],
    linkedin_url: person.linkedin_url ?? [],
    company_domain: company.company_domain ?? [],
    content: words(`
      content notecontent notebody note notes body text comment comments description
      notiz notizen kommentar beschreibung inhalt commentaire commentaires contenu nota notas comentario comentarios
      contenido conteudo descricao commento commenti contenuto notitie notities opmerking opmerkingen notatka notatki tresc`),
    title: words(
      "title notetitle subject betreff titel titre objet sujet titulo asunto assunto titolo oggetto onderwerp tytul temat",
    ),
    date: words(`
      date notedate activitydate createdat createdate created timestamp createddate
      datum erstelltam datecreation fecha fechadecreacion data datadecriacao datacreazione aanmaakdatum datautworzenia`),
    type: words("type notetype doctype typ art tipo"),
  },
  activities: {
    email: person.email ?? [],
    linkedin_url: person.linkedin_url ?? [],
    company_domain: company.company_domain ?? [],
    name: words("contactname personname fullname name leadname"),
    type: words(`
      activitytype type eventtype interactiontype engagementtype activity event interaction action
      typ art aktivitat ereignis activite evenement tipo actividad atividade attivita activiteit typaktywnosci`),
    date: words(`
      occurredat observedat happenedat date time timestamp datetime activitydate activitytime eventdate eventtime sentat startedat
      createdat datum zeit zeitpunkt fecha data heure`),
    summary: words(`
      summary description subject title note notes details text body comment comments
      betreff beschreibung zusammenfassung objet sujet asunto resumen assunto resumo oggetto onderwerp temat`),
    source: words("source tool system channel quelle kanal fuente fonte bron zrodlo"),
    external_id: words("externalid activityid eventid engagementid messageid recordid id"),
  },
};

/** Names that say little: they count only where no better one is there. */
const weak: ReadonlySet<string> = new Set(
  words(
    "title titel headline url url2 site web status size taille tamano contact kontakt contacto contato business kunde nome nombre companyurl strona",
  ),
);

/** What may stand around a name: whose it is, and which of several. */
const OBJECT = /^(person|contact|lead|kontakt|contacto|contatto|contato|people)(?=[a-z])/;
const ORGANISATION = /^(organization|organisation|account|deal)(?=[a-z])/;

export type NamedField = { field: ImportField; rank: number; weak: boolean };

/** By a header's form, the fields that it is a name of: `companyurl` is a website in one tool, a LinkedIn page in another. */
const fieldByHeader = new Map(
  (Object.keys(aliasesOf) as ImportKind[]).map((kind) => {
    const names = new Map<string, NamedField[]>();
    for (const [field, aliases] of Object.entries(aliasesOf[kind]))
      for (const [rank, name] of aliases.entries())
        names.set(name, [...(names.get(name) ?? []), { field: field as ImportField, rank, weak: weak.has(name) }]);
    return [kind, names];
  }),
);

/** Headers about an address or number, which hold none. */
const ABOUT =
  /(status|confidence|source|sent|open|opened|bounced|optout|verified|verifiedat|valid|label|type|id|ids|count|domain|owner)$|^validate|^hasoptedout/;

/**
 * The fields a header is a known name of, the likeliest first, and how good a name it is: 0 is the best. Each form of it is tried,
 * the whole first.
 */
export function fieldsNamed(kind: ImportKind, header: string): readonly NamedField[] {
  const names = fieldByHeader.get(kind);
  if (!names) return [];
  for (const [place, form] of formsOf(header).entries()) {
    const named = names.get(form);
    if (named) return place === 0 ? named : named.map((one) => ({ ...one, rank: one.rank + place * 100 }));
  }
  return [];
}

/** The likeliest field of a header. */
export const fieldNamed = (kind: ImportKind, header: string): NamedField | null => fieldsNamed(kind, header)[0] ?? null;

/** The forms in which a header is looked up: whole, without what is in brackets, without numbers, without whose it is. */
function formsOf(header: string): string[] {
  const whole = normaliseHeader(header);
  const plain = normaliseHeader(header.replaceAll(/[([{].*?[)\]}]/g, " "));
  const unnumbered = plain.replaceAll(/\d/g, "");
  const forms = [whole, plain, unnumbered];
  if (!ABOUT.test(plain)) forms.push(unnumbered.replace(OBJECT, ""));
  const [object, field] = header.split(/\s+-\s+|\s*[:/.]\s*/).slice(-2);
  if (field !== undefined && object !== undefined && ORGANISATION.test(`${normaliseHeader(object)}x`)) {
    const name = normaliseHeader(field);
    forms.push(name === "name" ? "companyname" : `company${name}`);
  }
  return [...new Set(forms)].filter((form) => form !== "");
}
