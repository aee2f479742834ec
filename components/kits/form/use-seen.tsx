'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import type { CallAnswer } from '@/lib/client/request'

/**
 * The reading a form was filled from. It stays the same while newer ones arrive, because what somebody saw is what they act on; `notice` tells of
 * a newer one and lets them go on with it, and what they typed stays.
 */
export function useSeen<T>(answer: CallAnswer<T>, one: string) {
  const [seen, setSeen] = useState(answer)
  const isOld = answer.meta.snapshot !== undefined && answer.meta.snapshot !== seen.meta.snapshot
  const notice = isOld && (
    <Notice
      tone="held"
      role="status"
      title={`This ${one} changed since you opened the form`}
      actions={
        <Button size="small" onClick={() => setSeen(answer)}>
          Go on with what is there now
        </Button>
      }
    >
      <p>What you typed stays. Compare it with the {one} as it is now before you send it.</p>
    </Notice>
  )
  return { seen, notice }
}
