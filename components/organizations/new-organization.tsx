'use client'

import { lateForm } from '@/components/kits/form/late-form'
import { QueryProvider } from '@/lib/client/query-provider'

const OrganizationForm = lateForm(() => import('./organization-form').then((module) => module.OrganizationForm))

/** The page that makes an organization. */
export const NewOrganization = () => (
  <QueryProvider>
    <OrganizationForm />
  </QueryProvider>
)
