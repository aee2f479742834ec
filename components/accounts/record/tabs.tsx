'use client'

import { accountLimitsPath } from '@/components/accounts/paths'
import { Link } from '@/components/kits/layout/link'
import { usePageContext } from '@/components/kits/layout/page-context'
import { getTabLinkClasses, TabLinks } from '@/components/ui/tab-links'
import { recordPath } from '@/lib/routes'

export function AccountTabs({ id, current }: { id: string; current: 'account' | 'limits' }) {
  const context = usePageContext()
  const { account } = context
  const accountTabs = [
    { id: 'account', label: 'Account', href: recordPath(context, 'accounts', id, { account }) },
    { id: 'limits', label: 'Limits', href: accountLimitsPath(context, id) },
  ]
  return (
    <TabLinks label="Pages of this account" className="print:hidden">
      {accountTabs.map((tab) => (
        <Link
          key={tab.id}
          href={tab.href}
          aria-current={tab.id === current ? 'page' : undefined}
          className={getTabLinkClasses(tab.id === current)}
        >
          {tab.label}
        </Link>
      ))}
    </TabLinks>
  )
}
