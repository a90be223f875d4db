"""Motion from body to body: by roles, whatever their proportions, rest poses and numbers of bones."""

from inbetweener.retarget.body import Body
from inbetweener.retarget.quality import Quality
from inbetweener.retarget.retarget import Path, Retargeted, retarget, retarget_clip

__all__ = ["Body", "Path", "Quality", "Retargeted", "retarget", "retarget_clip"]
