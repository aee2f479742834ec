/** `(512) 555-0100`, `512-555-0100`, `512.555.0100`, `5125550100`, each also after `1` or `+1`. */
const usPhonePattern =
  /^(?:\+?1[ .-]?)?(?:\(([2-9]\d{2})\) ?|([2-9]\d{2})[ .-]?)([2-9]\d{2})[ .-]?(\d{4})$/

/** Other text is only trimmed. The operation's schema rejects it unless it is in E.164 format. */
export function toE164(typedPhone: string): string {
  const trimmedPhone = typedPhone.trim()
  const [, bracketedArea, plainArea, exchange, line] = usPhonePattern.exec(trimmedPhone) ?? []
  return line === undefined ? trimmedPhone : `+1${bracketedArea ?? plainArea}${exchange}${line}`
}
