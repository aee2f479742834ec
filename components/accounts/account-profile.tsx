'use client'

import type { ReactNode } from 'react'
import { Fact, Facts } from '@/components/kits/layout/facts'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import type { Account } from '@/lib/operations/accounts.schema'

type Profile = NonNullable<Account['business_profile']>

const none = <span className="text-ink-3">not filled in</span>

const Given = ({ children }: { children: string | undefined }): ReactNode =>
  children ? <bdi className="break-words">{children}</bdi> : none

const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(', ') || undefined

const addressOf = ({ address }: Profile) =>
  address &&
  joined(address.line1, address.line2, address.city, [address.state, address.postal_code].filter(Boolean).join(' '), address.country)

const industryOf = ({ industry }: Profile) =>
  industry && joined(industry.mcc && `MCC ${industry.mcc}`, industry.sector?.replaceAll('_', ' '), industry.category?.replaceAll('_', ' '))

/** A web address opens elsewhere; anything that is none stays text, so that no other scheme becomes a link. */
function WebLink({ href }: { href: string | undefined }) {
  if (!href) return none
  if (!/^https?:\/\//i.test(href)) return <bdi>{href}</bdi>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" className="break-all text-accent underline">
      {href}
    </a>
  )
}

/** The business as it describes itself. */
export function AccountProfile({ account }: { account: Account }) {
  const profile: Partial<Profile> = account.business_profile ?? {}
  const support = profile.support_channels
  return (
    <Panel title="Business profile">
      <Facts>
        <Fact name="Name">
          <Given>{profile.name}</Given>
        </Fact>
        <Fact name="Legal name">
          <Given>{profile.legal_name}</Given>
        </Fact>
        <Fact name="Tax id">
          <Given>{profile.tax_id}</Given>
        </Fact>
        <Fact name="Website">
          <WebLink href={profile.website} />
        </Fact>
        <Fact name="Phone">
          <Given>{profile.phone}</Given>
        </Fact>
        <Fact name="Address">
          <Given>{addressOf(profile as Profile)}</Given>
        </Fact>
        <Fact name="Industry">
          <Given>{industryOf(profile as Profile)}</Given>
        </Fact>
        <Fact name="What it does">
          <Given>{profile.description}</Given>
        </Fact>
        <Fact name="Pays for">
          <Given>{profile.use_case}</Given>
        </Fact>
        <Fact name="Support">
          <Given>{joined(support?.email, support?.phone)}</Given>
          {support?.url && (
            <>
              {' '}
              <WebLink href={support.url} />
            </>
          )}
        </Fact>
      </Facts>
    </Panel>
  )
}

/** The terms the account accepted; from which device stays with the service. */
export function AccountTerms({ account }: { account: Account }) {
  const terms = account.terms_of_service
  return (
    <Panel title="Terms of service">
      {terms ? (
        <Facts>
          <Fact name="Accepted">{terms.accepted_date && <RelativeTime at={terms.accepted_date} />}</Fact>
          <Fact name="Agreement">
            <WebLink href={terms.agreement_url} />
          </Fact>
          <Fact name="Kind">{terms.agreement_type}</Fact>
        </Facts>
      ) : (
        <p className="text-ink-2">Not accepted yet. They are part of handing the account to verification.</p>
      )}
    </Panel>
  )
}
