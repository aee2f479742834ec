'use client'

import Link from 'next/link'
import { useDesk } from '@/components/kits/layout/desk-context'
import { TabLinks, tabLinkClasses } from '@/components/ui/tab-links'
import { recordPath } from '@/lib/routes'
import { accountLimitsPath } from './account-paths'

/** The two pages of an account: what it is, and what it may move. */
export function AccountTabs({ id, current }: { id: string; current: 'account' | 'limits' }) {
  const { environment, account } = useDesk()
  const tabs = [
    { id: 'account', label: 'Account', href: recordPath(environment, 'accounts', id, { account }) },
    { id: 'limits', label: 'Limits', href: accountLimitsPath(environment, id) },
  ]
  return (
    <TabLinks label="Pages of this account" className="print:hidden">
      {tabs.map((tab) => (
        <Link
          key={tab.id}
          href={tab.href}
          prefetch={false}
          aria-current={tab.id === current ? 'page' : undefined}
          className={tabLinkClasses(tab.id === current)}
        >
          {tab.label}
        </Link>
      ))}
    </TabLinks>
  )
}
