export type Folder = {
  path: string;
  name: string;
  role: "inbox" | "sent" | "archive" | "drafts" | "spam" | "trash" | "all" | "flagged" | "other";
  selectable: boolean;
  messages?: number;
};

type Role = Folder["role"];

/** What LIST says of a folder. */
export type ListedFolder = { path: string; name: string; flags: ReadonlySet<string>; messages?: number | undefined };

/** The attributes of RFC 6154. */
const FLAGS: Readonly<Record<string, Role>> = {
  "\\inbox": "inbox",
  "\\sent": "sent",
  "\\archive": "archive",
  "\\drafts": "drafts",
  "\\junk": "spam",
  "\\trash": "trash",
  "\\all": "all",
  "\\flagged": "flagged",
};

/**
 * What servers and mail programs call their folders, in lower case: English, German, French, Spanish, Italian, Portuguese, Dutch,
 * Swedish, Danish, Norwegian, Finnish, Polish, Czech, Russian, Turkish, Japanese, Chinese.
 */
const NAMES: Readonly<Record<"sent" | "archive" | "drafts" | "spam" | "trash", readonly string[]>> = {
  sent: [
    ...["sent", "sent items", "sent mail", "sent messages", "sent-mail", "outbox sent"],
    ...["gesendet", "gesendete", "gesendete objekte", "gesendete elemente", "gesendete nachrichten"],
    ...["envoyés", "éléments envoyés", "messages envoyés", "courrier envoyé", "objets envoyés"],
    ...["enviados", "elementos enviados", "mensajes enviados", "correo enviado", "itens enviados", "enviadas"],
    ...["mensagens enviadas", "inviata", "inviati", "posta inviata", "elementi inviati", "messaggi inviati"],
    ...["verzonden", "verzonden items", "verzonden berichten", "skickat", "skickade", "skickade objekt"],
    ...["sendt", "sendt post", "sendte elementer", "lähetetyt", "wysłane", "elementy wysłane", "odeslaná pošta"],
    ...[
      "odeslané",
      "отправленные",
      "gönderilmiş öğeler",
      "gönderilenler",
      "送信済み",
      "送信済みアイテム",
      "已发送",
      "已傳送郵件",
    ],
  ],
  archive: [
    ...["archive", "archives", "archiv", "archivo", "archivio", "arquivo", "archief", "arkiv", "arkisto", "archiwum"],
    ...["архив", "arşiv", "アーカイブ", "存档", "归档", "封存"],
  ],
  drafts: [
    ...["drafts", "draft", "entwürfe", "brouillons", "borradores", "bozze", "rascunhos", "concepten", "utkast"],
    ...["kladder", "luonnokset", "kopie robocze", "robocze", "szkice", "koncepty", "черновики", "taslaklar", "下書き"],
    ...["草稿", "草稿箱"],
  ],
  spam: [
    ...["spam", "junk", "junk e-mail", "junk email", "bulk mail", "spamverdacht", "unbekannt", "junk-e-mail"],
    ...["courrier indésirable", "indésirables", "pourriel", "correo no deseado", "no deseado", "posta indesiderata"],
    ...["lixo eletrônico", "lixo eletrónico", "ongewenste e-mail", "ongewenst", "skräppost", "uønsket e-mail"],
    ...[
      "søppelpost",
      "roskaposti",
      "wiadomości-śmieci",
      "niechciane",
      "nevyžádaná pošta",
      "спам",
      "istenmeyen e-posta",
    ],
    ...["迷惑メール", "垃圾邮件", "垃圾郵件"],
  ],
  trash: [
    ...["trash", "bin", "deleted", "deleted items", "deleted messages", "papierkorb", "gelöscht", "gelöschte elemente"],
    ...["gelöschte objekte", "corbeille", "éléments supprimés", "papelera", "elementos eliminados", "cestino"],
    ...[
      "posta eliminata",
      "elementi eliminati",
      "lixeira",
      "lixo",
      "itens excluídos",
      "itens eliminados",
      "prullenbak",
    ],
    ...["verwijderde items", "papperskorgen", "borttaget", "borttagna objekt", "slettet post", "slettede elementer"],
    ...["papirkurv", "søppelkasse", "roskakori", "poistetut", "kosz", "elementy usunięte", "koš", "odstraněná pošta"],
    ...[
      "корзина",
      "удаленные",
      "удалённые",
      "çöp kutusu",
      "silinmiş öğeler",
      "ごみ箱",
      "ゴミ箱",
      "已删除",
      "刪除的郵件",
    ],
  ],
};

const ROLE_OF_NAME = new Map(
  Object.entries(NAMES).flatMap(([role, names]) => names.map((name) => [name.normalize("NFC"), role as Role] as const)),
);

/**
 * Folders with what they are for: as the server says, and for what it says of no folder, by the usual names. One that only has a
 * usual name is the nearest to the top; others of that name keep `other`, except drafts, spam and trash, which are none to read.
 */
export function foldersOf(listed: readonly ListedFolder[]): Folder[] {
  const said = listed.map((folder) => roleBySaid(folder));
  const taken = new Set(said);
  const nearest = listed
    .map((folder, at) => ({ at, depth: folder.path.length }))
    .toSorted((one, other) => one.depth - other.depth || one.at - other.at);
  const roles = [...said];
  for (const { at } of nearest) {
    if (roles[at] !== null) continue;
    const role = ROLE_OF_NAME.get(listed[at]?.name.trim().toLowerCase().normalize("NFC") ?? "") ?? "other";
    const unread = role === "drafts" || role === "spam" || role === "trash";
    roles[at] = unread || !taken.has(role) ? role : "other";
    taken.add(role);
  }
  return listed.map(({ path, name, flags, messages }, at) => ({
    path,
    name: name || path,
    role: roles[at] ?? "other",
    selectable: !hasFlag(flags, "\\noselect") && !hasFlag(flags, "\\nonexistent"),
    ...(messages === undefined ? {} : { messages }),
  }));
}

const hasFlag = (flags: ReadonlySet<string>, wanted: string): boolean =>
  [...flags].some((flag) => flag.toLowerCase() === wanted);

function roleBySaid({ path, flags }: ListedFolder): Role | null {
  if (path.toUpperCase() === "INBOX") return "inbox";
  for (const flag of flags) {
    const role = FLAGS[flag.toLowerCase()];
    if (role !== undefined) return role;
  }
  return null;
}
