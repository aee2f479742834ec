import type { Answer } from './sandbox-client'

/** An object in a response, with only the fields that tests check. */
export type Data = Record<string, unknown> & { id: string; status: string }

export const dataOf = ({ json }: Answer): Data => json.data as Data

export const rowsOf = ({ json }: Answer): Data[] => json.data as Data[]

export const itemsOf = ({ json }: Answer): { reference: string; detail: string }[] =>
  (json.error?.items ?? []) as { reference: string; detail: string }[]

export const referencesOf = (answer: Answer): string[] => itemsOf(answer).map(({ reference }) => reference)
