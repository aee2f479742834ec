'use client'

import { useId } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Input } from '@/components/ui/input'
import {
  compareMetadata,
  findMetadataFault,
  type MetadataLine,
  metadataBounds,
  toMetadata,
} from '@/lib/domain/metadata-rules'
import { FieldSection } from './field-section'

type MetadataFieldProps = {
  before: Readonly<Record<string, string>>
  lines: readonly MetadataLine[]
  onChange: (lines: MetadataLine[]) => void
}

let lastNewLineNumber = 0
const createEmptyLine = (): MetadataLine => {
  lastNewLineNumber += 1
  return { id: `new-${lastNewLineNumber}`, key: '', value: '' }
}

/**
 * A field for an object's metadata, with one key and value per line. Saving replaces all metadata,
 * so the form must start with the existing entries. The field lists the keys that saving would
 * remove.
 */
export function MetadataField({ before, lines, onChange }: MetadataFieldProps) {
  const newMetadata = toMetadata(lines)
  const { lost, added, changed } = compareMetadata(before, newMetadata)
  const hasMaxLineCount = lines.length >= metadataBounds.keys
  const changeLine = (id: string, part: Partial<MetadataLine>) =>
    onChange(lines.map((line) => (line.id === id ? { ...line, ...part } : line)))
  return (
    <FieldSection title="Metadata">
      <p className="text-ink-3 text-xs">
        {Object.keys(before).length > 0 &&
          'Saving replaces all metadata: keys not listed here are removed, and no earlier version is kept. '}
        {Object.keys(newMetadata).length} of {metadataBounds.keys} entries. A key or a value has at
        most {metadataBounds.length} characters.
      </p>
      {lines.length > 0 && (
        <ul className="grid gap-1.5">
          {lines.map((line, at) => (
            <MetadataRow
              key={line.id}
              line={line}
              number={at + 1}
              fault={findMetadataFault(line, lines)}
              onChange={(part) => changeLine(line.id, part)}
              onRemove={() => onChange(lines.filter((other) => other.id !== line.id))}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="small"
          disabledReason={hasMaxLineCount ? `${metadataBounds.keys} entries at most.` : null}
          onClick={() => onChange([...lines, createEmptyLine()])}
        >
          Add a key
        </Button>
        <span
          role="status"
          className={cn('text-xs', lost.length > 0 ? 'font-medium text-held' : 'text-ink-3')}
        >
          {formatMetadataChanges(lost, added.length, changed.length)}
        </span>
      </div>
    </FieldSection>
  )
}

function formatMetadataChanges(
  lostKeys: readonly string[],
  addedCount: number,
  changedCount: number,
): string {
  const changeTexts = [
    lostKeys.length > 0 ? `will be lost: ${lostKeys.join(', ')}` : '',
    changedCount > 0 ? `${changedCount} changed` : '',
    addedCount > 0 ? `${addedCount} new` : '',
  ].filter((part) => part !== '')
  return changeTexts.length > 0 ? `Saving: ${changeTexts.join('; ')}` : ''
}

type MetadataRowProps = {
  line: MetadataLine
  number: number
  fault: string | null
  onChange: (part: Partial<MetadataLine>) => void
  onRemove: () => void
}

function MetadataRow({ line, number, fault, onChange, onRemove }: MetadataRowProps) {
  const faultId = useId()
  const faultProps = { invalid: fault !== null, describedBy: fault ? faultId : undefined }
  return (
    <li className="grid gap-1">
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-2">
        <FieldWithLengthCount
          label={`Key ${number}`}
          value={line.key}
          onChange={(key) => onChange({ key })}
          {...faultProps}
        />
        <FieldWithLengthCount
          label={`Value ${number}`}
          value={line.value}
          onChange={(value) => onChange({ value })}
          {...faultProps}
        />
        <Button
          size="icon"
          variant="quiet"
          aria-label={`Remove ${line.key || `line ${number}`}`}
          title="Remove"
          onClick={onRemove}
        >
          ✕
        </Button>
      </div>
      {fault && (
        <p id={faultId} className="font-medium text-bad text-xs">
          {fault}
        </p>
      )}
    </li>
  )
}

type FieldWithLengthCountProps = {
  label: string
  value: string
  onChange: (value: string) => void
  invalid: boolean
  describedBy: string | undefined
}

const FieldWithLengthCount = ({
  label,
  value,
  onChange,
  invalid,
  describedBy,
}: FieldWithLengthCountProps) => (
  <span className="relative">
    <Input
      aria-label={label}
      aria-invalid={invalid || undefined}
      aria-describedby={describedBy}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      className="pr-12 font-mono text-xs"
    />
    <span
      aria-hidden="true"
      className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-2xs text-ink-3 tabular-nums"
    >
      {value.length}/{metadataBounds.length}
    </span>
  </span>
)
