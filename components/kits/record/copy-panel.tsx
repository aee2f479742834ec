'use client'

import { Kbd } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import type { Integration } from '@/lib/operations/integration'
import { getAccountHeaderRule, getServiceOperation } from '@/lib/operations/service-operations'
import type { RecordNouns } from './record-failed'

/** The data of a record that can be copied. `link` is the path of the record's page. */
export type CopiedRecord = {
  nouns: RecordNouns
  record: { id: string }
  account: string | null
  integration: Integration
  link: string
}

/**
 * Returns a curl command that reads the record. It contains variable names in place of the
 * service's URL and the API key.
 */
function toCurlCommand({
  nouns: { resource },
  record: { id },
  account,
  integration,
}: CopiedRecord): string {
  const operationDefinition = getServiceOperation(`${resource}.get`)
  const commandLines = [
    `curl "$SERVICE_URL/v1${operationDefinition.path.replace(':id', id)}"`,
    `-H "Authorization: Bearer $SERVICE_API_KEY"`,
  ]
  const needsAccountHeader =
    account !== null && getAccountHeaderRule(`${resource}.get`, integration) !== 'forbidden'
  return [
    ...commandLines,
    ...(needsAccountHeader ? [`-H "Service-Account-Id: ${account}"`] : []),
  ].join(' \\\n  ')
}

export function toCopyText(shortcutKey: string, source: CopiedRecord): string {
  if (shortcutKey === 'l') return new URL(source.link, location.origin).href
  if (shortcutKey === 'c') return toCurlCommand(source)
  return shortcutKey === 'j' ? JSON.stringify(source.record, null, 2) : source.record.id
}

type CopyPanelProps = CopiedRecord & { whats: Readonly<Record<string, string>> }

export const CopyPanel = ({ whats, ...copied }: CopyPanelProps) => (
  <div className="absolute top-full right-0 z-20 mt-1 grid w-64 max-w-[calc(100vw-2rem)] gap-0.5 rounded-lg border border-line bg-raised p-1 shadow-float">
    {Object.entries(whats).map(([key, what]) => (
      <span key={key} className="flex items-center justify-between pr-2">
        <CopyButton text={toCopyText(key, copied)} what={what} className="min-w-0 flex-1 text-left">
          Copy {what}
        </CopyButton>
        <span className="flex gap-0.5">
          <Kbd>y</Kbd>
          <Kbd>{key}</Kbd>
        </span>
      </span>
    ))}
  </div>
)
