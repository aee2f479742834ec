'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useDeferredValue, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { errorOf, setField } from '@/components/kits/form/fields'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { read } from '@/lib/client/queries'
import type { AccountValues } from '@/lib/domain/account-form'
import { newPath } from '@/lib/routes'

const shown = 12

/** Chooses the organization by its name: what is typed narrows the list, an arrow key or a click chooses. */
export function OrganizationField({ form, chosen }: { form: UseFormReturn<AccountValues>; chosen: string }) {
  const desk = useDesk()
  const [text, setText] = useState('')
  const name = useDeferredValue(text.trim())
  const found = useQuery({
    ...read(desk, 'organizations.list', { name: name || undefined, page_size: shown, sort_by: 'name', sort_order: 'asc' }),
    placeholderData: (before) => before,
  })
  const error = errorOf(form, 'organization_id')
  const organizations = found.data?.data ?? []
  const more = (found.data?.meta.total_items ?? 0) - organizations.length
  return (
    <fieldset className="grid min-w-0 gap-2 rounded border border-line bg-surface p-3">
      <legend className="float-left mb-1 w-full font-semibold text-sm">Organization</legend>
      <div className="clear-both flex flex-wrap items-center gap-2">
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
        <Link href={newPath(desk.environment, 'organizations')} className="text-accent hover:underline">
          New organization…
        </Link>
      </div>
      {found.error && !found.data && (
        <ErrorNotice
          what="The organizations could not be read"
          error={found.error.toWire()}
          requestId={found.error.requestId}
          actions={<Button onClick={() => void found.refetch()}>Read again</Button>}
        />
      )}
      <div
        role="radiogroup"
        aria-label="Organization"
        aria-invalid={error ? true : undefined}
        className="grid h-40 content-start gap-1 overflow-y-auto sm:grid-cols-2"
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
              onChange={() => setField(form, 'organization_id', organization.id)}
            />
            <bdi className="truncate">{organization.name}</bdi>
          </label>
        ))}
      </div>
      <p role="status" className="text-ink-3 text-xs">
        {found.isPending ? 'Reading the organizations…' : listText(organizations.length, more, name)}
      </p>
      {error && <p className="font-medium text-bad text-xs">{error}</p>}
    </fieldset>
  )
}

function listText(count: number, more: number, name: string): string {
  if (count === 0) return name ? `No organization is called “${name}”.` : 'There is no organization yet.'
  return more > 0 ? `${more} more: type a part of the name.` : ''
}
