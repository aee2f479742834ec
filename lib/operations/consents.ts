/** The ways in which a payer can consent to a charge, as our forms and our API name them. */
export const consentTypes = ['internet', 'signed_agreement'] as const

/** First the name in the interface document, then the one in the provider's contract. */
export const signedConsentTypes = ['signed_agreement', 'signed'] as const

export type SignedConsentType = (typeof signedConsentTypes)[number]

export const isSignedConsent = (consent: string | undefined): boolean =>
  signedConsentTypes.some((word) => word === consent)
