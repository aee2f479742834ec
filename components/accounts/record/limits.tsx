'use client'

import { accountLimitsPath } from '@/components/accounts/paths'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { buttonVariants } from '@/components/ui/button-variants'
import { StatusBadge, type Tone } from '@/components/ui/tone'
import { toCapabilityGroups } from '@/lib/domain/account-labels'
import {
  formatLimitValue,
  type LimitedPaymentType,
  limitedPaymentTypes,
  limitNames,
  limitWords,
  paymentTypeNouns,
  toLimitSet,
} from '@/lib/domain/limit-labels'
import { findOwnValue } from '@/lib/domain/service-words'
import type { Account, AccountSettings } from '@/lib/operations/accounts.schema'
import type { AccountRelatedReads } from './use-facts'

const capabilityStateLabels: Readonly<Record<string, { label: string; tone: Tone }>> = {
  active: { label: 'Active', tone: 'good' },
  inactive: { label: 'Inactive', tone: 'neutral' },
}

const toCapabilityStateLabel = (state: string | undefined): { label: string; tone: Tone } => {
  if (state === undefined) return { label: 'Not known', tone: 'unknown' }
  return findOwnValue(capabilityStateLabels, state) ?? { label: state, tone: 'neutral' }
}

export const CapabilityGrid = ({ account }: { account: Account }) => (
  <Panel title="Capabilities">
    <div className="grid gap-3 sm:grid-cols-3">
      {toCapabilityGroups(account).map((group) => (
        <section key={group.id} aria-label={group.name} className="grid content-start gap-1.5">
          <h3 className="text-ink-3 text-xs">{group.name}</h3>
          <ul className="grid gap-1.5">
            {group.leaves.map((leaf) => {
              const { label, tone } = toCapabilityStateLabel(leaf.state)
              return (
                <li
                  key={leaf.id}
                  className="flex items-center justify-between gap-2 sm:grid sm:justify-items-start sm:gap-1"
                >
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

export function AccountLimits({ id, facts }: { id: string; facts: AccountRelatedReads }) {
  const context = usePageContext()
  return (
    <Panel
      title="Limits"
      aside={
        <Link href={accountLimitsPath(context, id)} className={buttonVariants({ size: 'small' })}>
          Usage and requests
        </Link>
      }
    >
      <ReadResultBlock read={facts.settings} onAgain={facts.again}>
        {(settings) => <LimitTable settings={settings} />}
      </ReadResultBlock>
    </Panel>
  )
}

const formatLimitCell = (
  settings: AccountSettings,
  type: LimitedPaymentType,
  name: (typeof limitNames)[number],
) => formatLimitValue(name, toLimitSet(settings[type])[name])

const LimitTable = ({ settings }: { settings: AccountSettings }) => (
  <table className="w-full text-sm">
    <caption className="sr-only">Limits in force, in USD</caption>
    <thead className="text-ink-3 text-xs">
      <tr>
        <th scope="col" className="pb-1 text-left font-medium">
          At most
        </th>
        {limitedPaymentTypes.map((type) => (
          <th key={type} scope="col" className="pb-1 text-right font-medium">
            {paymentTypeNouns[type].title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {limitNames.map((name) => (
        <tr key={name} className="border-line border-t">
          <th scope="row" className="py-1 text-left font-normal text-ink-2">
            {limitWords[name].label}
          </th>
          {limitedPaymentTypes.map((type) => (
            <td key={type} className="py-1 text-right tabular-nums">
              {formatLimitCell(settings, type, name)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
