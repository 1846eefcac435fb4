extension RPCSpecification {
    /// The responses: function name and id, then parameters.
    static let responses = """
        RegisterAppInterface 1: success! B, resultCode! Result, info S1000,
          syncMsgVersion SyncMsgVersion, language Language, hmiDisplayLanguage Language,
          displayCapabilities DisplayCapabilities, buttonCapabilities [ButtonCapabilities]1:100,
          softButtonCapabilities [SoftButtonCapabilities]1:100,
          presetBankCapabilities PresetBankCapabilities,
          hmiZoneCapabilities [HmiZoneCapabilities]1:100,
          speechCapabilities [SpeechCapabilities]1:100, prerecordedSpeech [PrerecordedSpeech]1:100,
          vrCapabilities [VrCapabilities]1:100,
          audioPassThruCapabilities [AudioPassThruCapabilities]1:100,
          pcmStreamCapabilities AudioPassThruCapabilities, vehicleType VehicleType,
          supportedDiagModes [I0:255]1:100, hmiCapabilities HMICapabilities, sdlVersion S100,
          systemSoftwareVersion S100, iconResumed B
        UnregisterAppInterface 2: success! B, resultCode! Result, info S1000
        SetGlobalProperties 3: success! B, resultCode! Result, info S1000
        ResetGlobalProperties 4: success! B, resultCode! Result, info S1000
        AddCommand 5: success! B, resultCode! Result, info S1000
        DeleteCommand 6: success! B, resultCode! Result, info S1000
        AddSubMenu 7: success! B, resultCode! Result, info S1000
        DeleteSubMenu 8: success! B, resultCode! Result, info S1000
        CreateInteractionChoiceSet 9: success! B, resultCode! Result, info S1000
        PerformInteraction 10: success! B, resultCode! Result, info S1000, choiceID I0:2000000000,
          manualTextEntry S500, triggerSource TriggerSource
        DeleteInteractionChoiceSet 11: success! B, resultCode! Result, info S1000
        Alert 12: success! B, resultCode! Result, info S1000, tryAgainTime I0:2000000000
        Show 13: success! B, resultCode! Result, info S1000
        Speak 14: success! B, resultCode! Result, info S1000
        SetMediaClockTimer 15: success! B, resultCode! Result, info S1000
        PerformAudioPassThru 16: success! B, resultCode! Result, info S1000
        EndAudioPassThru 17: success! B, resultCode! Result, info S1000
        SubscribeButton 18: success! B, resultCode! Result, info S1000
        UnsubscribeButton 19: success! B, resultCode! Result, info S1000
        SubscribeVehicleData 20: success! B, resultCode! Result, info S1000, gps VehicleDataResult,
          speed VehicleDataResult, rpm VehicleDataResult, fuelLevel VehicleDataResult,
          fuelLevel_State VehicleDataResult, instantFuelConsumption VehicleDataResult,
          fuelRange VehicleDataResult, climateData VehicleDataResult,
          externalTemperature VehicleDataResult, turnSignal VehicleDataResult,
          gearStatus VehicleDataResult, prndl VehicleDataResult, tirePressure VehicleDataResult,
          odometer VehicleDataResult, beltStatus VehicleDataResult,
          bodyInformation VehicleDataResult, deviceStatus VehicleDataResult,
          driverBraking VehicleDataResult, wiperStatus VehicleDataResult,
          headLampStatus VehicleDataResult, engineTorque VehicleDataResult,
          accPedalPosition VehicleDataResult, steeringWheelAngle VehicleDataResult,
          engineOilLife VehicleDataResult, electronicParkBrakeStatus VehicleDataResult,
          cloudAppVehicleID VehicleDataResult, stabilityControlsStatus VehicleDataResult,
          eCallInfo VehicleDataResult, airbagStatus VehicleDataResult,
          emergencyEvent VehicleDataResult, clusterModes VehicleDataResult, myKey VehicleDataResult,
          windowStatus VehicleDataResult, handsOffSteering VehicleDataResult,
          seatOccupancy VehicleDataResult
        UnsubscribeVehicleData 21: success! B, resultCode! Result, info S1000,
          gps VehicleDataResult, speed VehicleDataResult, rpm VehicleDataResult,
          fuelLevel VehicleDataResult, fuelLevel_State VehicleDataResult,
          instantFuelConsumption VehicleDataResult, fuelRange VehicleDataResult,
          climateData VehicleDataResult, externalTemperature VehicleDataResult,
          turnSignal VehicleDataResult, gearStatus VehicleDataResult, prndl VehicleDataResult,
          tirePressure VehicleDataResult, odometer VehicleDataResult, beltStatus VehicleDataResult,
          bodyInformation VehicleDataResult, deviceStatus VehicleDataResult,
          driverBraking VehicleDataResult, wiperStatus VehicleDataResult,
          headLampStatus VehicleDataResult, engineTorque VehicleDataResult,
          accPedalPosition VehicleDataResult, steeringWheelAngle VehicleDataResult,
          engineOilLife VehicleDataResult, electronicParkBrakeStatus VehicleDataResult,
          cloudAppVehicleID VehicleDataResult, stabilityControlsStatus VehicleDataResult,
          eCallInfo VehicleDataResult, airbagStatus VehicleDataResult,
          emergencyEvent VehicleDataResult, clusterModes VehicleDataResult, myKey VehicleDataResult,
          windowStatus VehicleDataResult, handsOffSteering VehicleDataResult,
          seatOccupancy VehicleDataResult
        GetVehicleData 22: success! B, resultCode! Result, info S1000, gps GPSData, speed F0:700,
          rpm I0:20000, fuelLevel F-6:106, fuelLevel_State ComponentVolumeStatus,
          instantFuelConsumption F0:25575, fuelRange [FuelRange]0:100, climateData ClimateData,
          externalTemperature F-40:100, turnSignal TurnSignal, vin S17, gearStatus GearStatus,
          prndl PRNDL, tirePressure TireStatus, odometer I0:17000000, beltStatus BeltStatus,
          bodyInformation BodyInformation, deviceStatus DeviceStatus,
          driverBraking VehicleDataEventStatus, wiperStatus WiperStatus,
          headLampStatus HeadLampStatus, engineTorque F-1000:2000, accPedalPosition F0:100,
          steeringWheelAngle F-2000:2000, engineOilLife F0:100,
          electronicParkBrakeStatus ElectronicParkBrakeStatus, cloudAppVehicleID S,
          stabilityControlsStatus StabilityControlsStatus, eCallInfo ECallInfo,
          airbagStatus AirbagStatus, emergencyEvent EmergencyEvent,
          clusterModeStatus ClusterModeStatus, myKey MyKey, windowStatus [WindowStatus]0:100,
          handsOffSteering B, seatOccupancy SeatOccupancy
        ReadDID 23: success! B, resultCode! Result, info S1000, didResult [DIDResult]0:1000
        GetDTCs 24: success! B, resultCode! Result, info S1000, ecuHeader I0:65535, dtc [S10]1:15
        ScrollableMessage 25: success! B, resultCode! Result, info S1000
        Slider 26: success! B, resultCode! Result, info S1000, sliderPosition I1:26
        ShowConstantTBT 27: success! B, resultCode! Result, info S1000
        AlertManeuver 28: success! B, resultCode! Result, info S1000
        UpdateTurnList 29: success! B, resultCode! Result, info S1000
        ChangeRegistration 30: success! B, resultCode! Result, info S1000
        GenericResponse 31: success! B, resultCode! Result, info S1000
        PutFile 32: success! B, resultCode! Result, spaceAvailable I0:2000000000, info S1000
        DeleteFile 33: success! B, resultCode! Result, spaceAvailable I0:2000000000, info S1000
        ListFiles 34: success! B, resultCode! Result, filenames [S500]0:1000,
          spaceAvailable I0:2000000000, info S1000
        SetAppIcon 35: success! B, resultCode! Result, info S1000
        SetDisplayLayout 36: success! B, resultCode! Result,
          displayCapabilities DisplayCapabilities, buttonCapabilities [ButtonCapabilities]1:100,
          softButtonCapabilities [SoftButtonCapabilities]1:100,
          presetBankCapabilities PresetBankCapabilities, info S1000
        DiagnosticMessage 37: success! B, resultCode! Result, info S1000,
          messageDataResult [I0:255]1:65535
        SystemRequest 38: success! B, resultCode! Result, info S1000
        SendLocation 39: success! B, resultCode! Result, info S1000
        DialNumber 40: success! B, resultCode! Result, info S1000
        ButtonPress 41: resultCode! Result, info S1000, success! B
        GetInteriorVehicleData 43: moduleData ModuleData, resultCode! Result, info S1000,
          success! B, isSubscribed B
        SetInteriorVehicleData 44: moduleData ModuleData, resultCode! Result, info S1000, success! B
        GetWayPoints 45: success! B, resultCode! Result, info S1000, wayPoints [LocationDetails]1:10
        SubscribeWayPoints 46: success! B, resultCode! Result, info S1000
        UnsubscribeWayPoints 47: success! B, resultCode! Result, info S1000,
          wayPoints [LocationDetails]1:10
        GetSystemCapability 48: systemCapability SystemCapability, resultCode! Result, info S1000,
          success! B
        SendHapticData 49: success! B, info S1000, resultCode! Result
        SetCloudAppProperties 50: success! B, resultCode! Result, info S1000
        GetCloudAppProperties 51: properties CloudAppProperties, success! B, resultCode! Result,
          info S1000
        PublishAppService 52: success! B, resultCode! Result, info S1000,
          appServiceRecord AppServiceRecord
        GetAppServiceData 53: success! B, resultCode! Result, info S1000, serviceData AppServiceData
        GetFile 54: success! B, resultCode! Result, info S1000, offset I0:2000000000,
          length I0:2000000000, fileType FileType, crc I0:4294967295
        PerformAppServiceInteraction 55: success! B, resultCode! Result, info S1000,
          serviceSpecificResult S
        UnpublishAppService 56: success! B, resultCode! Result, info S1000
        CancelInteraction 57: success! B, resultCode! Result, info S1000
        CloseApplication 58: success! B, resultCode! Result, info S1000
        ShowAppMenu 59: success! B, resultCode! Result, info S1000
        CreateWindow 60: success! B, info S1000, resultCode! Result
        DeleteWindow 61: success! B, info S1000, resultCode! Result
        GetInteriorVehicleDataConsent 62: success! B, resultCode! Result, info S1000, allowed [B]
        ReleaseInteriorVehicleDataModule 63: success! B, resultCode! Result, info S1000
        SubtleAlert 64: success! B, resultCode! Result, info S1000, tryAgainTime I0:2000000000
        EncodedSyncPData 65536: success! B, resultCode! Result, info S1000
        """
}
