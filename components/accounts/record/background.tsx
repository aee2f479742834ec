'use client'

import type { ReactNode } from 'react'
import { addAccountPrefix } from '@/components/accounts/paths'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { ReadResultBlock } from '@/components/kits/record/read-value'
import { MetadataFacts, RecordFacts, RecordTimes } from '@/components/kits/record/record-json'
import { ShortId } from '@/components/ui/copy-button'
import { limitedPaymentTypes, paymentTypeNouns } from '@/lib/domain/limit-labels'
import { findOwnValue } from '@/lib/domain/service-words'
import { accountNouns } from '@/lib/features/accounts/labels'
import { getLinkedBankName } from '@/lib/features/accounts/linked-bank-accounts/rules'
import type { Account, AccountSettings as Settings } from '@/lib/operations/accounts.schema'
import type { LinkedBankAccount } from '@/lib/operations/linked-bank-accounts.schema'
import { recordPath } from '@/lib/routes'
import type { AccountRelatedReads } from './use-facts'

type Profile = NonNullable<Account['business_profile']>

const notFilledInText = <span className="text-ink-3">not filled in</span>

const ProfileText = ({ children }: { children: string | undefined }): ReactNode =>
  children ? <ExternalText className="break-words">{children}</ExternalText> : notFilledInText

const joinWithCommas = (...parts: (string | undefined)[]) =>
  parts.filter(Boolean).join(', ') || undefined

const formatAddress = ({ address }: Profile) =>
  address &&
  joinWithCommas(
    address.line1,
    address.line2,
    address.city,
    [address.state, address.postal_code].filter(Boolean).join(' '),
    address.country,
  )

const formatIndustry = ({ industry }: Profile) =>
  industry &&
  joinWithCommas(
    industry.mcc && `MCC ${industry.mcc}`,
    industry.sector?.replaceAll('_', ' '),
    industry.category?.replaceAll('_', ' '),
  )

/** Links only http and https, so that a `javascript:` address does not become a link. */
function WebLink({ href }: { href: string | undefined }) {
  if (!href) return notFilledInText
  if (!/^https?:\/\//i.test(href)) return <ExternalText>{href}</ExternalText>
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer noopener"
      className="break-all text-accent hover:underline"
    >
      {href}
    </a>
  )
}

function AccountProfile({ account }: { account: Account }) {
  const profile: Partial<Profile> = account.business_profile ?? {}
  const supportChannels = profile.support_channels
  return (
    <Panel title="Business profile">
      <FactList>
        <Fact name="Name" field="business_profile.name">
          <ProfileText>{profile.name}</ProfileText>
        </Fact>
        <Fact name="Legal name" field="business_profile.legal_name">
          <ProfileText>{profile.legal_name}</ProfileText>
        </Fact>
        <Fact name="Tax ID" field="business_profile.tax_id">
          <ProfileText>{profile.tax_id}</ProfileText>
        </Fact>
        <Fact name="Website" field="business_profile.website">
          <WebLink href={profile.website} />
        </Fact>
        <Fact name="Phone" field="business_profile.phone">
          <ProfileText>{profile.phone}</ProfileText>
        </Fact>
        <Fact name="Address" field="business_profile.address">
          <ProfileText>{formatAddress(profile as Profile)}</ProfileText>
        </Fact>
        <Fact name="Industry" field="business_profile.industry">
          <ProfileText>{formatIndustry(profile as Profile)}</ProfileText>
        </Fact>
        <Fact name="Business description" field="business_profile.description">
          <ProfileText>{profile.description}</ProfileText>
        </Fact>
        <Fact name="Purpose of the payments" field="business_profile.use_case">
          <ProfileText>{profile.use_case}</ProfileText>
        </Fact>
        <Fact name="Support" field="business_profile.support_channels">
          <ProfileText>
            {joinWithCommas(supportChannels?.email, supportChannels?.phone)}
          </ProfileText>
          {supportChannels?.url && (
            <>
              {' '}
              <WebLink href={supportChannels.url} />
            </>
          )}
        </Fact>
      </FactList>
    </Panel>
  )
}

const agreementTypeTexts: Readonly<Record<string, string>> = {
  embedded: 'embedded: as part of the platform’s own agreement',
  direct: 'direct: with the provider itself',
}

const formatAgreementType = (type: string | undefined) =>
  findOwnValue(agreementTypeTexts, type) ?? type

/**
 * Shows when the account accepted which terms. The device from which it accepted them is not shown,
 * because the service does not return it.
 */
function AccountTerms({ account }: { account: Account }) {
  const terms = account.terms_of_service
  return (
    <Panel title="Terms of service">
      {terms ? (
        <FactList>
          <Fact name="Accepted" field="terms_of_service.accepted_date">
            {terms.accepted_date && <RelativeTime at={terms.accepted_date} />}
          </Fact>
          <Fact name="Agreement" field="terms_of_service.agreement_url">
            <WebLink href={terms.agreement_url} />
          </Fact>
          <Fact name="Agreement type" field="terms_of_service.agreement_type">
            {formatAgreementType(terms.agreement_type)}
          </Fact>
        </FactList>
      ) : (
        <p className="text-ink-2">
          Not accepted yet. Accept the terms when you submit the account for verification.
        </p>
      )}
    </Panel>
  )
}

const AccountRecordFacts = ({ account }: { account: Account }) => (
  <RecordFacts nouns={accountNouns} record={account}>
    <FactList>
      <Fact name="ID">
        <ShortId id={account.id} what="account ID" />
      </Fact>
      <Fact name="External ID" field="external_id">
        {account.external_id && <ShortId id={account.external_id} what="external ID" />}
      </Fact>
      <Fact name="Access level" field="access_level">
        {account.access_level}
      </Fact>
      <RecordTimes record={account} />
      <MetadataFacts metadata={account.metadata} />
    </FactList>
  </RecordFacts>
)

const booleanSettings: readonly {
  name: keyof NonNullable<Settings['configuration']>
  label: string
}[] = [
  { name: 'allow_data_unmask', label: 'Reveal masked data' },
  { name: 'allow_duplicate_email', label: 'Two customers with one email' },
  { name: 'allow_customer_identity_skip', label: 'Skip identity checks' },
  { name: 'allow_paykey_verification_skip', label: 'Skip bank account checks' },
]

/** Read-only, because only the service can change the settings. */
const AccountSettings = ({ id, facts }: { id: string; facts: AccountRelatedReads }) => (
  <Panel title="Settings" aside={<span className="text-ink-3 text-xs">set by the service</span>}>
    <ReadResultBlock read={facts.settings} onAgain={facts.again}>
      {(settings) => (
        <SettingsFacts id={id} settings={settings} linkedAccounts={facts.linkedBankAccounts.data} />
      )}
    </ReadResultBlock>
  </Panel>
)

type SettingsFactsProps = {
  id: string
  settings: Settings
  /** Undefined until they are read. */
  linkedAccounts: readonly LinkedBankAccount[] | undefined
}

function SettingsFacts({ id, settings, linkedAccounts }: SettingsFactsProps) {
  const context = usePageContext()
  const statementSettings = settings.statement_settings
  return (
    <FactList>
      {limitedPaymentTypes.map((type) => {
        const { funding_time: time, linked_bank_account_id: bank } = settings[type] ?? {}
        const linkedAccount = linkedAccounts?.find((each) => each.id === bank)
        return (
          <Fact key={type} name={`${paymentTypeNouns[type].title} funded`}>
            {time?.replaceAll('_', ' ') ?? <span className="text-ink-3">not stated</span>}
            {bank && (
              <>
                {' '}
                through{' '}
                <Link
                  href={recordPath(context, 'linked_bank_accounts', bank, {
                    account: addAccountPrefix(id),
                  })}
                  className="text-accent hover:underline"
                >
                  {linkedAccount ? (
                    <ExternalText>{getLinkedBankName(linkedAccount)}</ExternalText>
                  ) : (
                    <ShortId id={bank} />
                  )}
                </Link>
              </>
            )}
          </Fact>
        )
      })}
      <Fact name="On statements">
        {[
          statementSettings?.company_name,
          statementSettings?.company_id,
          statementSettings?.default_descriptor,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Fact>
      {booleanSettings.map(({ name, label }) => {
        const isAllowed = settings.configuration?.[name]
        return (
          <Fact key={name} name={label}>
            {isAllowed === undefined ? undefined : isAllowed ? 'allowed' : 'not allowed'}
          </Fact>
        )
      })}
    </FactList>
  )
}

export const AccountBackgroundPanels = ({
  account,
  facts,
}: {
  account: Account
  facts: AccountRelatedReads
}) => (
  <>
    <AccountProfile account={account} />
    <AccountTerms account={account} />
    <AccountSettings id={account.id} facts={facts} />
    <AccountRecordFacts account={account} />
  </>
)
