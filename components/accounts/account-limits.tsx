'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Panel } from '@/components/kits/layout/panel'
import { FactRead } from '@/components/kits/record/fact-read'
import { buttonVariants } from '@/components/ui/button-variants'
import { type LimitType, limitSetOf, limitText, limitTypes, limitWords, typeWords } from '@/lib/domain/limit-words'
import type { AccountSettings } from '@/lib/operations/account-settings.schema'
import { limitNames } from '@/lib/operations/enumerations'
import { accountLimitsPath } from './account-paths'
import type { AccountFacts } from './use-account-facts'

/** The limits in force, and the way to what is used of them and to a request for others. */
export function AccountLimits({ id, facts }: { id: string; facts: AccountFacts }) {
  const { environment } = useDesk()
  return (
    <Panel
      title="Limits"
      aside={
        <Link href={accountLimitsPath(environment, id)} className={buttonVariants({ size: 'small' })}>
          Use and requests
        </Link>
      }
    >
      <FactRead fact={facts.settings} onAgain={facts.again}>
        {(settings) => <LimitTable settings={settings} />}
      </FactRead>
    </Panel>
  )
}

const cellOf = (settings: AccountSettings, type: LimitType, name: (typeof limitNames)[number]) =>
  limitText(name, limitSetOf(settings[type])[name])

const LimitTable = ({ settings }: { settings: AccountSettings }) => (
  <table className="w-full text-sm">
    <caption className="sr-only">Limits in force, in USD</caption>
    <thead className="text-ink-3 text-xs">
      <tr>
        <th scope="col" className="pb-1 text-left font-medium">
          At most
        </th>
        {limitTypes.map((type) => (
          <th key={type} scope="col" className="pb-1 text-right font-medium">
            {typeWords[type].title}
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
          {limitTypes.map((type) => (
            <td key={type} className="py-1 text-right tabular-nums">
              {cellOf(settings, type, name)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
