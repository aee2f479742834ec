/**
 * Matches a US phone number as people write it: `(512) 555-0100`, `512-555-0100`, `512.555.0100`,
 * `5125550100`, each also after `1` or `+1`.
 */
const usPhonePattern =
  /^(?:\+?1[ .-]?)?(?:\(([2-9]\d{2})\) ?|([2-9]\d{2})[ .-]?)([2-9]\d{2})[ .-]?(\d{4})$/

/**
 * Returns a typed phone number in E.164 format. Only US numbers may have spaces and punctuation.
 * Any other text is returned without spaces around it, and the operation's schema rejects it unless
 * it is in E.164 format.
 */
export function toE164(typed: string): string {
  const text = typed.trim()
  const [, bracketedArea, plainArea, exchange, line] = usPhonePattern.exec(text) ?? []
  return line === undefined ? text : `+1${bracketedArea ?? plainArea}${exchange}${line}`
}
