import type { deletionAskers, deletionBases, identityChecks } from '@/lib/operations/deletion'

type Words<S extends readonly string[]> = Readonly<Record<S[number], string>>

/** Who may ask for a deletion, in words and in the order they are offered. */
export const askerWords: Words<typeof deletionAskers> = {
  DATA_SUBJECT_REQUEST: 'The person it is about',
  REGULATOR_ORDER: 'A regulator or a court',
  RETENTION_END: 'Nobody: the time to keep it is over',
}

/** The legal grounds in words. */
export const basisWords: Words<typeof deletionBases> = {
  GDPR_17_1_A: 'GDPR 17(1)(a): no longer needed for its purpose',
  GDPR_17_1_B: 'GDPR 17(1)(b): consent was withdrawn',
  GDPR_17_1_C: 'GDPR 17(1)(c): the person objects',
  GDPR_17_1_D: 'GDPR 17(1)(d): processed unlawfully',
  GDPR_17_1_E: 'GDPR 17(1)(e): a law demands it',
  CCPA_1798_105: 'CCPA 1798.105: right to delete',
  STATE_PRIVACY_LAW: 'Another privacy law of a state',
  COURT_ORDER: 'Order of a court or an authority',
  RETENTION_POLICY: 'Our own retention policy',
}

/** How an identity may have been checked, in words. */
export const identityCheckWords: Words<typeof identityChecks> = {
  SIGNED_IN: 'Asked while signed in to our own product',
  KNOWN_CHANNEL: 'Called back or written to on a known channel',
  DOCUMENT_SEEN: 'An identity document was seen',
  AUTHORITY_CONFIRMED: 'The authority was called back and confirmed it',
  NOT_NEEDED: 'Not needed: nobody asked',
}

/** A kept code in words; one nobody knows any more stays as it is. */
export const wordOf = (table: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(table, code) ? (table[code] ?? code) : code

/** Asker and basis as one ground, as the store keeps them. */
export const groundOf = (asker: string, basis: string): string => `${asker}/${basis}`

/** A kept ground taken apart into its two codes. */
export function partsOf(ground: string): { asker: string; basis: string } {
  const [asker = '', basis = ''] = ground.split('/')
  return { asker, basis }
}
