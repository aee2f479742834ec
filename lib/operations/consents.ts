/** The ways in which a payer can consent to a charge, as our forms and our API name them. */
export const consentTypes = ['internet', 'signed_agreement'] as const

/**
 * The two names of a signed agreement: first in the interface document, second in the provider's
 * contract.
 */
export const signedConsents = ['signed_agreement', 'signed'] as const

export type SignedConsent = (typeof signedConsents)[number]

/** True if the consent type that the service returned means a signed agreement. */
export const isSignedConsent = (consent: string | undefined): boolean =>
  signedConsents.some((word) => word === consent)
