'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Fact, Facts } from '@/components/kits/layout/facts'
import { Panel } from '@/components/kits/layout/panel'
import { FactRead } from '@/components/kits/record/fact-read'
import { ShortId } from '@/components/ui/short-id'
import { limitTypes, typeWords } from '@/lib/domain/limit-words'
import type { AccountSettings as Settings } from '@/lib/operations/account-settings.schema'
import { recordPath } from '@/lib/routes'
import { scopeOf } from './account-paths'
import type { AccountFacts } from './use-account-facts'

const switches: readonly { name: keyof NonNullable<Settings['configuration']>; label: string }[] = [
  { name: 'allow_data_unmask', label: 'Reveal masked data' },
  { name: 'allow_duplicate_email', label: 'Two customers with one e-mail' },
  { name: 'allow_customer_identity_skip', label: 'Skip identity checks' },
  { name: 'allow_paykey_verification_skip', label: 'Skip bank account checks' },
]

/** How money reaches the account, what stands on statements, and which switches the service has set. Nobody can change these here. */
export const AccountSettings = ({ id, facts }: { id: string; facts: AccountFacts }) => (
  <Panel title="Settings" aside={<span className="text-ink-3 text-xs">set by the service</span>}>
    <FactRead fact={facts.settings} onAgain={facts.again}>
      {(settings) => <SettingsFacts id={id} settings={settings} />}
    </FactRead>
  </Panel>
)

function SettingsFacts({ id, settings }: { id: string; settings: Settings }) {
  const { environment } = useDesk()
  const statement = settings.statement_settings
  return (
    <Facts>
      {limitTypes.map((type) => {
        const { funding_time: time, linked_bank_account_id: bank } = settings[type] ?? {}
        return (
          <Fact key={type} name={`${typeWords[type].title} funded`}>
            {time?.replaceAll('_', ' ') ?? <span className="text-ink-3">not stated</span>}
            {bank && (
              <>
                {' '}
                through{' '}
                <Link
                  href={recordPath(environment, 'linked_bank_accounts', bank, { account: scopeOf(id) })}
                  className="text-accent hover:underline"
                >
                  <ShortId id={bank} />
                </Link>
              </>
            )}
          </Fact>
        )
      })}
      <Fact name="On statements">
        {[statement?.company_name, statement?.company_id, statement?.default_descriptor].filter(Boolean).join(' · ')}
      </Fact>
      {switches.map(({ name, label }) => {
        const on = settings.configuration?.[name]
        return (
          <Fact key={name} name={label}>
            {on === undefined ? undefined : on ? 'allowed' : 'not allowed'}
          </Fact>
        )
      })}
    </Facts>
  )
}
