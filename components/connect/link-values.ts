import { type MetadataLine, metadataFault, metadataOf } from '@/lib/domain/metadata-rules'

/** What may be said of every connection, as it is typed: empty for what is left to the service. */
export type LinkValues = { external_id: string; processing_method: string; sandbox_outcome: string; metadata: MetadataLine[] }

export const linkValues = (): LinkValues => ({ external_id: '', processing_method: '', sandbox_outcome: '', metadata: [] })

type LinkInput = {
  customer_id: string
  external_id?: string
  config?: { sandbox_outcome?: string; processing_method?: string }
  metadata?: Record<string, string>
}

/** The common part of every bridge input; what was left empty is left out, and an outcome is sent in the sandbox only. */
export function linkInput(customer: string, values: LinkValues, sandbox: boolean): LinkInput {
  const { external_id, processing_method, sandbox_outcome } = values
  const config = {
    ...(sandbox && sandbox_outcome !== '' ? { sandbox_outcome } : {}),
    ...(processing_method !== '' ? { processing_method } : {}),
  }
  const metadata = metadataOf(values.metadata)
  return {
    customer_id: customer,
    ...(external_id.trim() !== '' ? { external_id: external_id.trim() } : {}),
    ...(Object.keys(config).length > 0 ? { config } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  }
}

/** Lines of metadata that cannot be sent as they stand. */
export const linkFaults = ({ metadata }: LinkValues): Record<string, string> =>
  metadata.some((line) => metadataFault(line, metadata) !== null) ? { metadata: 'mend the lines marked above' } : {}

/** A number is typed twice, because a wrong digit sends money to somebody else. Spaces and dashes are how people write them. */
export const digitsOf = (typed: string): string => typed.replace(/[\s-]/g, '')

/** Whether a number was typed the same way twice; the fault belongs to the second. */
export const twiceFault = (first: string, again: string): Record<string, string> =>
  digitsOf(first) === digitsOf(again) ? {} : { again: 'is not the number typed above' }
