"""tf2_msgs/TFMessage where the package tf2_msgs is missing, as it is in the builds of ROS 2 on PyPI.

A publisher of messages that are serialised already needs of a type its name, its hash and the size of the largest
message, which has no limit. That is made here of the type of the transforms within, by the structures in the headers
message_type_support_struct.h (rosidl_runtime_c) and message_type_support.h (rosidl_typesupport_fastrtps_cpp). Only
bytes can be published.

Source of the hash: REP 2016, RIHS01; what `ros2 topic info --verbose /tf` shows, of Iron and all later ones.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from blocks.live.ros2.available import Ros2Error

HASH = "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087"
_FAST_DDS = b"rosidl_typesupport_fastrtps_c"


class _Hash(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint8), ("value", ctypes.c_uint8 * 32))


class _Support(ctypes.Structure):
    """rosidl_message_type_support_t."""

    _fields_ = (
        ("identifier", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("find", ctypes.c_void_p),
        ("hash", ctypes.c_void_p),
        ("description", ctypes.c_void_p),
        ("sources", ctypes.c_void_p),
    )


class _Callbacks(ctypes.Structure):
    """message_type_support_callbacks_t."""

    _fields_ = (
        ("namespace", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("serialise", ctypes.c_void_p),
        ("deserialise", ctypes.c_void_p),
        ("size", ctypes.c_void_p),
        ("largest", ctypes.c_void_p),
        ("key", ctypes.c_void_p),
    )


_FindSupport = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_FindHash = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


@functools.cache
def transform_type() -> Any:
    """A class that stands for TFMessage where rclpy wants a type of messages. Raises Ros2Error without Fast DDS."""
    from geometry_msgs.msg import TransformStamped
    from rclpy.utilities import get_rmw_implementation_identifier

    middleware = get_rmw_implementation_identifier()
    if middleware != "rmw_fastrtps_cpp":
        raise Ros2Error(
            f"/tf needs the package tf2_msgs of ROS 2 with {middleware}: apt install ros-$ROS_DISTRO-tf2-msgs"
        )
    if TransformStamped._TYPE_SUPPORT is None:
        TransformStamped.__import_type_support__()
    stamped = type(TransformStamped)
    address = _address(stamped._TYPE_SUPPORT)
    found = _FindSupport(_Support.from_address(address).find)(address, _FAST_DDS)
    support = _Support.from_buffer_copy(_Support.from_address(found))
    callbacks = _Callbacks.from_buffer_copy(_Callbacks.from_address(support.data))
    callbacks.namespace, callbacks.name = b"tf2_msgs::msg", b"TFMessage"
    own_hash = _Hash(1, (ctypes.c_uint8 * 32)(*bytes.fromhex(HASH)))
    find_hash = _FindHash(lambda _: ctypes.addressof(own_hash))
    runtime = ctypes.CDLL("librosidl_runtime_c.so")
    support.data = ctypes.addressof(callbacks)
    support.find = ctypes.cast(runtime.get_message_typesupport_handle_function, ctypes.c_void_p).value
    support.hash = ctypes.cast(find_hash, ctypes.c_void_p).value

    class Meta(type):
        _TYPE_SUPPORT = _capsule(ctypes.addressof(support))
        _CREATE_ROS_MESSAGE = stamped._CREATE_ROS_MESSAGE
        _CONVERT_FROM_PY = stamped._CONVERT_FROM_PY
        _CONVERT_TO_PY = stamped._CONVERT_TO_PY
        _DESTROY_ROS_MESSAGE = stamped._DESTROY_ROS_MESSAGE
        alive = (support, callbacks, own_hash, find_hash, runtime)

    class TFMessage(metaclass=Meta):
        """Stands for tf2_msgs/msg/TFMessage."""

        @staticmethod
        def registered() -> None:
            """Forget that the middleware found no description of the type, which it would tell with its next error."""
            ctypes.CDLL("librcutils.so").rcutils_reset_error()

    return TFMessage


def _address(capsule: Any) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    return int(get(capsule, None))


def _capsule(address: int) -> Any:
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return make(address, None, None)
