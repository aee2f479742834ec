'use client'

import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { asCallError } from '@/lib/client/call-error'
import { request } from '@/lib/client/request'
import type { SavedView } from '@/lib/operations/saved-view'
import { viewsApiPath } from '@/lib/routes'

type ViewFormProps = { list: string; search: string; view: SavedView | undefined; onDone: (said: string) => void }

/** Names the filters that are set now, or renames, shares and removes the view that is open. */
export function ViewForm({ list, search, view, onDone }: ViewFormProps) {
  const { environment, person } = useDesk()
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const mayShare = person.roles.some((role) => role !== 'viewer')

  const ask = async (method: string, path: string, said: string, body?: Record<string, unknown>) => {
    setBusy(true)
    setFault('')
    try {
      await request(path, { method, body })
      onDone(said)
    } catch (error) {
      const { items, message } = asCallError(error)
      setFault(items[0]?.detail ?? message)
    } finally {
      setBusy(false)
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (view) void ask('PUT', viewsApiPath(environment, view.id), 'The view was changed', { name, shared })
    else void ask('POST', viewsApiPath(environment), 'The view was saved', { list, name, search, shared })
  }
  const closed = view && !view.mayChange ? `This view is ${view.owner}’s: only they or an admin can change it.` : null
  return (
    <form onSubmit={save} noValidate className="grid gap-2">
      <Field label="Name" error={fault}>
        {(control) => (
          <Input
            {...control}
            ref={field}
            value={name}
            maxLength={60}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {mayShare && (
        <Checkbox label="Everybody in this environment sees it" checked={shared} onChange={(event) => setShared(event.target.checked)} />
      )}
      <p className="text-ink-3 text-xs">Keeps filters, tab, order and columns. The account and the page are those of whoever opens it.</p>
      <div className="flex items-center justify-between gap-2">
        <Button type="submit" variant="primary" size="small" loading={busy} disabledReason={closed}>
          {view ? 'Save changes' : 'Save view'}
        </Button>
        {view && (
          <Button
            size="small"
            variant="quiet"
            disabledReason={closed}
            onClick={() => void ask('DELETE', viewsApiPath(environment, view.id), 'The view was removed')}
          >
            Remove
          </Button>
        )}
      </div>
    </form>
  )
}
