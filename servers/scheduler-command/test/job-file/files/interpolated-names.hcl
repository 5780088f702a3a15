job "names" {
  group "g" {
    network { port "http" {} }
    service {
      name = "${NOMAD_JOB_NAME}-${NOMAD_GROUP_NAME}"
      port = "http"
      tags = ["${node.unique.name}", "${env["NOMAD_DC"]}"]
    }
    task "t" {
      driver = "docker"
      user   = "nobody:nogroup"
      config {
        image    = "x"
        hostname = "${NOMAD_TASK_NAME}"
      }
      meta { node = "${node.unique.id}" }
    }
  }
}
