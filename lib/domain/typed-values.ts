/** `(512) 555-0100`, `512-555-0100`, `512.555.0100`, `5125550100`, each also after `1` or `+1`. */
const usPhonePattern =
  /^(?:\+?1[ .-]?)?(?:\(([2-9]\d{2})\) ?|([2-9]\d{2})[ .-]?)([2-9]\d{2})[ .-]?(\d{4})$/
const foreignPhonePattern = /^\+(?!1)[1-9](?:[ .()-]*\d){6,14}$/

/** The functions of this file only trim other text. The operation's schema then refuses it. */
export function toE164(typedPhone: string): string {
  const phone = trimTyped(typedPhone)
  if (foreignPhonePattern.test(phone)) return phone.replace(/[ .()-]/g, '')
  const [, bracketedArea, plainArea, exchange, line] = usPhonePattern.exec(phone) ?? []
  return line === undefined ? phone : `+1${bracketedArea ?? plainArea}${exchange}${line}`
}

/** Trims, and replaces the spaces and dashes that word processors write. */
const trimTyped = (typed: string): string =>
  typed
    .trim()
    .replace(/\s/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')

/** Parses `123456789` and `123 45 6789`. */
export const toSsn = (typedSsn: string): string =>
  trimTyped(typedSsn).replace(/^(\d{3})[ -]?(\d{2})[ -]?(\d{4})$/, '$1-$2-$3')

/** Parses `123456789` and `12 3456789`. */
export const toEin = (typedEin: string): string =>
  trimTyped(typedEin).replace(/^(\d{2})[ -]?(\d{7})$/, '$1-$2')

/** Parses `787011234` and `78701 1234`. */
export const toZipCode = (typedZip: string): string =>
  trimTyped(typedZip).replace(/^(\d{5})[ -]?(\d{4})$/, '$1-$2')

/** For codes of states and countries: `TX`, `US`. */
export const toRegionCode = (typedCode: string): string => typedCode.trim().toUpperCase()

/** Adds `https://` to a host name with a dot. */
export const toWebAddress = (typedAddress: string): string =>
  typedAddress
    .trim()
    .replace(/^(?=[^\s:/?#@]+\.\p{L}[^\s.:/?#@]+(?::\d{1,5})?(?:[/?#]\S*)?$)/u, 'https://')
