import type { Answer } from './sandbox-client'

/** An object in a response, with only the fields that tests check. */
export type ResponseObject = Record<string, unknown> & { id: string; status: string }

export const readResponseData = ({ json }: Answer): ResponseObject => json.data as ResponseObject

export const readResponseRows = ({ json }: Answer): ResponseObject[] =>
  json.data as ResponseObject[]

export const readErrorItems = ({ json }: Answer): { reference: string; detail: string }[] =>
  (json.error?.items ?? []) as { reference: string; detail: string }[]

export const listErrorReferences = (answer: Answer): string[] =>
  readErrorItems(answer).map(({ reference }) => reference)
