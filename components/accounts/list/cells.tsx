import { ExternalText } from '@/components/kits/layout/outside-text'
import type { Tone } from '@/components/ui/tone'
import { StatusBadge } from '@/components/ui/tone'
import { getAccountName, type PageContext } from '@/lib/client/page-context'

export const renderStateCell = (row: { tone: Tone; status: string; why: string }) => (
  <span className="flex items-center gap-2 @max-[44rem]:flex-col @max-[44rem]:items-end @max-[44rem]:gap-0">
    <StatusBadge tone={row.tone}>{row.status}</StatusBadge>
    {row.why && (
      <span
        className="truncate text-ink-2 @max-[44rem]:max-w-40 @max-[44rem]:text-xs"
        title={row.why}
      >
        {row.why}
      </span>
    )}
  </span>
)

export const createAccountCell = (context: PageContext) => (row: { account: string | null }) =>
  row.account === null ? (
    <span className="text-ink-3">the platform</span>
  ) : (
    <ExternalText className="text-ink-2">{getAccountName(context, row.account)}</ExternalText>
  )
