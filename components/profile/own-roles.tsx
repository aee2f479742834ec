'use client'

import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Fact, FactList, Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { formatGrant } from '@/lib/client/page-context'
import type { Profile } from '@/lib/operations/profile'

export function OwnRoles({ profile: { name, email, grants } }: { profile: Profile }) {
  const context = usePageContext()
  return (
    <Panel title="You">
      <FactList>
        <Fact name="Name">
          <ExternalText>{name}</ExternalText>
        </Fact>
        <Fact name="Email">
          <ExternalText>{email}</ExternalText>
        </Fact>
        <Fact name="Roles">
          <ul className="grid gap-0.5">
            {grants.map((grant) => (
              <li key={grant.id}>
                <ExternalText>{formatGrant(context, grant)}</ExternalText>
                {grant.account === null && context.integration !== 'account' && ', whole platform'}
                {grant.expires_at && (
                  <span className="text-ink-3">
                    {' '}
                    until <RelativeTime at={grant.expires_at} show="moment" />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Fact>
      </FactList>
    </Panel>
  )
}
