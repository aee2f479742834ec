import type { SandboxResponse } from './sandbox-client'

/** An object in a response, with only the fields that tests check. */
export type ResponseObject = Record<string, unknown> & { id: string; status: string }

export const readResponseData = ({ json }: SandboxResponse): ResponseObject =>
  json.data as ResponseObject

export const readResponseRows = ({ json }: SandboxResponse): ResponseObject[] =>
  json.data as ResponseObject[]

export const readErrorItems = ({
  json,
}: SandboxResponse): { reference: string; detail: string }[] =>
  (json.error?.items ?? []) as { reference: string; detail: string }[]

export const listErrorReferences = (response: SandboxResponse): string[] =>
  readErrorItems(response).map(({ reference }) => reference)
