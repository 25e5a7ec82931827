"""python -m unittest: by PVE_SIMULATOR (a file) as a process; with CONTAINERS=1 as a container too."""

import json
import os
import ssl
import unittest
import urllib.request

from pve_simulator import Access, PveSimulatorContainer, PveSimulatorProcess, access_to


def nodes(access: Access) -> int:
    context = ssl.create_default_context(cadata=access.ca)
    asked = urllib.request.Request(f"{access.url}/api2/json/nodes", headers={"Authorization": access.authorization})
    with urllib.request.urlopen(asked, context=context) as answer:
        return len(json.load(answer)["data"])


class Simulator(unittest.TestCase):
    @unittest.skipUnless("PVE_SIMULATOR" in os.environ, "PVE_SIMULATOR names no program")
    def test_process(self) -> None:
        program = ("node", os.environ["PVE_SIMULATOR"])
        with PveSimulatorProcess("--nodes", "2", program=program) as cluster:
            self.assertEqual(nodes(cluster.access), 2)
            with self.assertRaisesRegex(RuntimeError, "its log says 00:11"):
                line = {"fingerprint": "00:11", "user": "", "password": "", "tokenId": "", "tokenSecret": ""}
                access_to(cluster.access.url, json.dumps(line))

    @unittest.skipUnless("CONTAINERS" in os.environ, "no container engine is asked for")
    def test_container(self) -> None:
        with PveSimulatorContainer("--nodes", "2") as cluster:
            self.assertEqual(nodes(cluster.access), 2)


if __name__ == "__main__":
    unittest.main()
