/** A clause as a sentence begins. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The name of a field of the service as a person reads it. */
export const fieldLabel = (name: string): string => sentence(name.replaceAll('_', ' ').replaceAll('.', ' · '))
