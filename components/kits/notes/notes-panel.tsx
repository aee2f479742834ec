'use client'

import { useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { DownloadButton } from '@/components/kits/layout/download-button'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import type { CallError } from '@/lib/client/call-error'
import { createUuid } from '@/lib/client/drafts'
import { useOperation } from '@/lib/client/query/writes'
import { formatRoles } from '@/lib/domain/permissions'
import { findReasonWarnings } from '@/lib/domain/reasons'
import { evidenceRoles } from '@/lib/operations/define'
import { toApiRequestParts } from '@/lib/operations/http'
import { maxNoteLength, type NoteView } from '@/lib/operations/notes'
import { type NotedRecord, useNotes } from './notes-button'

type NoteFailure = { what: string; error: CallError } | null

function NoteItem({ note, onWithdraw }: { note: NoteView; onWithdraw: () => void }) {
  return (
    <li className="grid gap-0.5 border-line border-b py-2 first:pt-0 last:border-b-0">
      <p className="flex flex-wrap items-baseline gap-x-2 text-xs">
        <ExternalText className="font-medium text-ink">{note.author}</ExternalText>
        <RelativeTime at={note.created_at} show="both" className="text-ink-3" />
        {note.may_withdraw && (
          <Button size="small" variant="quiet" className="ml-auto" onClick={onWithdraw}>
            Withdraw<span className="sr-only"> the note of {note.author}</span>
          </Button>
        )}
      </p>
      {note.text === null ? (
        <p className="text-ink-3 text-sm">
          {note.withdrawn ? (
            <>
              Withdrawn by <ExternalText>{note.withdrawn.by}</ExternalText>
            </>
          ) : (
            'The text was removed'
          )}
        </p>
      ) : (
        <p className="whitespace-pre-wrap text-sm wrap-anywhere">
          <ExternalText>{note.text}</ExternalText>
        </p>
      )}
    </li>
  )
}

type NoteFormProps = {
  noted: NotedRecord
  whyNot: string | null
  onFailed: (failed: NoteFailure) => void
}

/**
 * A form for a note. The browser creates the note's id, so a second click or a resend after a lost
 * response does not create a second note.
 */
function NoteForm({ noted, whyNot, onFailed }: NoteFormProps) {
  const { environment } = usePageContext()
  const [text, setText] = useState('')
  const [id, setId] = useState(createUuid)
  const { mutate, isPending } = useOperation<'notes.create'>({ environment, account: null })
  const warnings = findReasonWarnings(text)
  const sendNote = () => {
    onFailed(null)
    mutate(
      { operation: 'notes.create', input: { ...noted, note: id, text } },
      {
        onSuccess: () => {
          setText('')
          setId(createUuid())
        },
        onError: (error) =>
          onFailed({ what: 'The note was not saved. The text is still here', error }),
      },
    )
  }
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending) sendNote()
      }}
    >
      <Field
        label="New note"
        hint={
          warnings.length > 0
            ? warnings.map((warning) => warning.text).join(' ')
            : 'Notes are read by everyone with a role in this account.'
        }
      >
        {(control) => (
          <Textarea
            {...control}
            value={text}
            maxLength={maxNoteLength}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button
          type="submit"
          size="small"
          variant="primary"
          loading={isPending}
          disabledReason={whyNot ?? (text.trim() === '' ? 'Write the note first.' : null)}
        >
          Add note
        </Button>
      </div>
    </form>
  )
}

export function NotesPanel({ noted }: { noted: NotedRecord }) {
  const { environment, person } = usePageContext()
  const { data, error } = useNotes(noted)
  const withdrawMutation = useOperation<'notes.withdraw'>({ environment, account: null })
  const [failed, setFailed] = useState<NoteFailure>(null)
  const canWriteNotes = evidenceRoles.some((role) => person.roles.includes(role))
  const notAllowedReason = canWriteNotes ? null : `Only ${formatRoles(evidenceRoles)} can do this.`
  const notes = data?.data
  const withdrawNote = (note: NoteView) => {
    setFailed(null)
    withdrawMutation.mutate(
      { operation: 'notes.withdraw', input: { ...noted, note: note.id } },
      { onError: (cause) => setFailed({ what: 'The note was not withdrawn', error: cause }) },
    )
  }
  return (
    <Panel
      title="Notes"
      aside={
        <DownloadButton
          url={toApiRequestParts('notes.evidence', noted, { environment }).url}
          disabledReason={notAllowedReason}
          onFailed={(cause) => setFailed(cause && { what: 'No file was saved', error: cause })}
        >
          Export evidence
        </DownloadButton>
      }
    >
      <div className="grid gap-3">
        {failed && (
          <ErrorNotice
            urgent
            what={failed.what}
            error={failed.error.toWire()}
            requestId={failed.error.requestId}
          />
        )}
        {error && !notes && (
          <ErrorNotice
            what="The notes could not be read"
            error={error.toWire()}
            requestId={error.requestId}
          />
        )}
        {notes && notes.length === 0 && <p className="text-ink-3 text-sm">No notes yet.</p>}
        {notes && notes.length > 0 && (
          <ul aria-label="Notes, oldest first" className="grid">
            {notes.map((note) => (
              <NoteItem key={note.id} note={note} onWithdraw={() => withdrawNote(note)} />
            ))}
          </ul>
        )}
        <NoteForm noted={noted} whyNot={notAllowedReason} onFailed={setFailed} />
      </div>
    </Panel>
  )
}
