'use client'

import { useId, useState } from 'react'
import { Button, type ButtonProps } from './button'
import { Dialog } from './overlay'

type ConfirmButtonProps = Omit<ButtonProps, 'onClick' | 'title'> & {
  title: string
  /** Sentence about the effect of the action. */
  text: string
  /** The label of the button in the dialog. */
  confirm: string
  onConfirm: () => void
}

/** A button that acts only after the person confirms in a dialog. Closing the dialog does nothing. */
export function ConfirmButton({ title, text, confirm, onConfirm, ...props }: ConfirmButtonProps) {
  const titleId = useId()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const confirmAndClose = () => {
    close()
    onConfirm()
  }
  return (
    <>
      <Button {...props} onClick={() => setOpen(true)} />
      {isOpen && (
        <Dialog
          aria-labelledby={titleId}
          onClose={close}
          className="m-auto w-[min(26rem,calc(100vw-1rem))]"
        >
          <div className="grid gap-4 p-5">
            <h2 id={titleId} className="font-semibold text-lg">
              {title}
            </h2>
            <p className="text-ink-2 text-sm">{text}</p>
            <div className="flex flex-wrap gap-2">
              <Button variant="danger" onClick={confirmAndClose}>
                {confirm}
              </Button>
              <Button variant="quiet" onClick={close}>
                Cancel
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
