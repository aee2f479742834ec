'use client'

import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { SelectField, setField, TextField } from '@/components/kits/form/fields'
import { MetadataField } from '@/components/kits/form/metadata-field'
import { useDesk } from '@/components/kits/layout/desk-context'
import { type LinkValues, linkValues } from './link-values'

const outcomes = {
  standard: 'The usual course',
  active: 'Active',
  review: 'In review, for a person to decide',
  rejected: 'Rejected',
}

const methods = {
  inline: 'At once, in the answer',
  background: 'In the background, a little later',
  skip: 'Not at all, where the account may leave it out',
}

type LinkOptionsProps = { form: UseFormReturn<LinkValues>; metadata: LinkValues['metadata']; withMetadata: boolean }

/** What may be said of every connection; nothing of it has to be. */
export function LinkOptions({ form, metadata, withMetadata }: LinkOptionsProps) {
  const { environment } = useDesk()
  const { errors } = form.formState
  const faulty = Object.keys(linkValues()).some((name) => name in errors)
  const box = useRef<HTMLDetailsElement>(null)
  // A fault in a closed box would be seen by nobody.
  useEffect(() => {
    if (faulty && box.current) box.current.open = true
  }, [faulty])
  return (
    <details ref={box} className="group rounded border border-line bg-surface">
      <summary className="cursor-pointer px-3 py-2 font-medium text-sm">
        {environment === 'sandbox' ? 'Reference, verification, sandbox outcome' : 'Reference and verification'}
      </summary>
      <div className="grid gap-3 border-line border-t p-3">
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <TextField form={form} name="external_id" label="External id" hint="Your own reference, if you have one." maxLength={100} />
          <SelectField form={form} name="processing_method" label="When it is verified" choices={methods} none="As the account is set" />
          {environment === 'sandbox' && (
            <SelectField form={form} name="sandbox_outcome" label="Outcome, in the sandbox only" choices={outcomes} none="Not set" />
          )}
        </div>
        {withMetadata && <MetadataField before={{}} lines={metadata} onChange={(lines) => setField(form, 'metadata', lines)} />}
      </div>
    </details>
  )
}
