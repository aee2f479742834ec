import type { Answer } from './sandbox-client'

/** An object in a response, with only the fields that tests check. */
export type ResponseObject = Record<string, unknown> & { id: string; status: string }

export const responseData = ({ json }: Answer): ResponseObject => json.data as ResponseObject

export const responseRows = ({ json }: Answer): ResponseObject[] => json.data as ResponseObject[]

export const errorItems = ({ json }: Answer): { reference: string; detail: string }[] =>
  (json.error?.items ?? []) as { reference: string; detail: string }[]

export const errorReferences = (answer: Answer): string[] => errorItems(answer).map(({ reference }) => reference)
