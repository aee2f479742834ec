import { Panel } from '@/components/kits/layout/panel'
import { StatusBadge } from '@/components/ui/status-badge'
import type { Tone } from '@/components/ui/tone'
import { capabilityGroups } from '@/lib/domain/account-words'
import type { Account } from '@/lib/operations/accounts.schema'

const words: Readonly<Record<string, { label: string; tone: Tone }>> = {
  active: { label: 'Active', tone: 'good' },
  inactive: { label: 'Inactive', tone: 'neutral' },
}

const wordsOf = (state: string | undefined): { label: string; tone: Tone } => {
  if (state === undefined) return { label: 'Not known', tone: 'unknown' }
  return words[state] ?? { label: state, tone: 'neutral' }
}

/** What the account may do: three groups of two, each with shape and word. */
export const CapabilityGrid = ({ account }: { account: Account }) => (
  <Panel title="Capabilities">
    <div className="grid gap-3 sm:grid-cols-3">
      {capabilityGroups(account).map((group) => (
        <section key={group.id} aria-label={group.name} className="grid content-start gap-1.5">
          <h3 className="text-ink-3 text-xs">{group.name}</h3>
          <ul className="grid gap-1.5">
            {group.leaves.map((leaf) => {
              const { label, tone } = wordsOf(leaf.state)
              return (
                <li key={leaf.id} className="flex items-center justify-between gap-2 sm:grid sm:justify-items-start sm:gap-1">
                  <span>{leaf.name}</span>
                  <StatusBadge tone={tone}>{label}</StatusBadge>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  </Panel>
)
