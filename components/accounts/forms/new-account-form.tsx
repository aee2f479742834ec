'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { ActionForm } from '@/components/kits/form/action-form'
import { FieldSection } from '@/components/kits/form/field-section'
import {
  FieldGroup,
  getFieldError,
  SelectField,
  setFieldValue,
  TextField,
} from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useActionForm } from '@/components/kits/form/use-action-form'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { operationQuery } from '@/lib/client/query/reads'
import {
  type AccountFormValues,
  listMetadataFaults,
  toAccountFormValues,
  toNewAccountInput,
} from '@/lib/features/accounts/form'
import { accountSchemas } from '@/lib/operations/accounts.schema'
import { findTotalRowCount } from '@/lib/operations/list-count'
import { listPath, newRecordPath, recordPath } from '@/lib/routes'
import { BusinessFields, OptionalProfileFields } from './fields'

const pageSize = 12

function OrganizationField({
  form,
  chosen,
}: {
  form: UseFormReturn<AccountFormValues>
  chosen: string
}) {
  const context = usePageContext()
  const [text, setText] = useState('')
  const searchedName = useDeferredValue(text.trim())
  const organizationsQuery = useQuery({
    ...operationQuery(context, 'organizations.list', {
      name: searchedName || undefined,
      page_size: pageSize,
      sort_by: 'name',
      sort_order: 'asc',
    }),
    placeholderData: keepPreviousData,
  })
  const organizationsAnswer = organizationsQuery.data
  const error = getFieldError(form, 'organization_id')
  const organizations = organizationsAnswer?.data ?? []
  const totalOrganizations = organizationsAnswer
    ? findTotalRowCount(organizationsAnswer, { size: pageSize })
    : 0
  const unlistedCount =
    totalOrganizations === null ? null : totalOrganizations - organizations.length
  return (
    <FieldSection title="Organization">
      <div className="flex flex-wrap items-center gap-2">
        <span className="block min-w-40 flex-1">
          <Input
            type="search"
            aria-label="Find an organization by name"
            placeholder="Find by name"
            value={text}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
          />
        </span>
        <Link
          href={newRecordPath(context, 'organizations')}
          className="text-accent hover:underline"
        >
          New organization…
        </Link>
      </div>
      {organizationsQuery.error && !organizationsAnswer && (
        <ErrorNotice
          what="The organizations could not be read"
          error={organizationsQuery.error.toWire()}
          requestId={organizationsQuery.error.requestId}
          actions={<Button onClick={() => void organizationsQuery.refetch()}>Try again</Button>}
        />
      )}
      <div
        role="radiogroup"
        aria-label="Organization"
        aria-invalid={error ? true : undefined}
        // Always as high as three rows, so that the fields below do not move.
        className="grid h-[calc(3*var(--control-height)+0.5rem)] content-start gap-1 overflow-y-auto sm:grid-cols-2"
      >
        {organizations.map((organization) => (
          <label
            key={organization.id}
            className="flex min-h-control min-w-0 cursor-pointer items-center gap-2 rounded-sm border border-line px-2 has-checked:border-accent has-checked:bg-selected"
          >
            <input
              type="radio"
              name="organization_id"
              className="size-4 accent-accent"
              checked={organization.id === chosen}
              onChange={() => setFieldValue(form, 'organization_id', organization.id)}
            />
            <ExternalText className="truncate">{organization.name}</ExternalText>
          </label>
        ))}
      </div>
      <p role="status" className="text-ink-3 text-xs">
        {!organizationsAnswer && organizationsQuery.isPending
          ? 'Loading organizations…'
          : formatUnlistedOrganizations(organizations.length, unlistedCount, searchedName)}
      </p>
      {error && <p className="font-medium text-bad text-xs">{error}</p>}
    </FieldSection>
  )
}

function formatUnlistedOrganizations(count: number, more: number | null, name: string): string {
  if (more === null) return 'There are more: type part of the name.'
  if (count === 0 && more > 0) return `${more} could not be read: type part of the name.`
  if (count === 0) return name ? `No organization is called “${name}”.` : 'No organizations yet.'
  return more > 0 ? `${more} more: type part of the name.` : ''
}

/** Labels of the access of an account's users to the provider's dashboard (provider facts 2.1). */
const dashboardAccessLabels = {
  standard: 'Standard: users sign in to the provider’s dashboard',
  managed: 'Managed: the platform acts for the account',
}

const operation = 'accounts.create'

/** `organization` is the id of the preselected organization, or null. */
export function NewAccountForm({ organization }: { organization: string | null }) {
  const context = usePageContext()
  const { environment, account } = context
  const { form, typed, frame } = useActionForm<typeof operation, AccountFormValues>({
    operation,
    target: 'new',
    account: null,
    values: { ...toAccountFormValues(), organization_id: organization ?? '' },
    schema: accountSchemas[operation].input,
    toInput: toNewAccountInput,
    check: (values) => ({
      ...listMetadataFaults(values),
      ...(values.organization_id === '' ? { organization_id: 'Choose the organization.' } : {}),
    }),
    back: listPath(context, 'accounts'),
    done: (id) => recordPath(context, 'accounts', id, { account }),
  })
  return (
    <ActionForm
      {...frame}
      layout="page"
      title="New account"
      meta={
        <>
          in <span className="font-semibold text-ink">{environment.toUpperCase()}</span>; a business
          that uses the service through this platform
        </>
      }
      send="Create account"
    >
      <OrganizationField form={form} chosen={typed.organization_id} />
      <BusinessFields form={form}>
        <TextField
          form={form}
          name="business_profile.tax_id"
          label="Tax ID"
          inputMode="numeric"
          hint="Nine digits. Only the last four are shown after saving."
        />
      </BusinessFields>
      <OptionalProfileFields form={form} />
      <FieldGroup title="In this platform">
        <SelectField
          form={form}
          name="access_level"
          label="Access"
          choices={dashboardAccessLabels}
        />
        <TextField
          form={form}
          name="external_id"
          label="External ID"
          maxLength={100}
          hint="Your own reference."
        />
      </FieldGroup>
      <MetadataField
        before={{}}
        lines={typed.metadata}
        onChange={(lines) => setFieldValue(form, 'metadata', lines)}
      />
    </ActionForm>
  )
}
